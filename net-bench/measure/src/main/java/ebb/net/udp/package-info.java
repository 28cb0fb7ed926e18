/** Flows of datagrams: their wire format, the proof of addresses, senders and receivers. */
@NullMarked
package ebb.net.udp;

import org.jspecify.annotations.NullMarked;
