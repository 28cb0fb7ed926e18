/** One flow of messages at one end, over TCP or LEDBAT: what is sent, checked and counted. */
@NullMarked
package ebb.net.flow;

import org.jspecify.annotations.NullMarked;
