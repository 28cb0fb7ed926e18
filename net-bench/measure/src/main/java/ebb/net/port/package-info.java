/** Measurements as Kompics ports: streaming and stop-and-wait, over TCP, UDP and LEDBAT. */
@NullMarked
package ebb.net.port;

import org.jspecify.annotations.NullMarked;
