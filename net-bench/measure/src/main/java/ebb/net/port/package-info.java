/** Measurements as Kompics ports: streaming and stop-and-wait. */
@NullMarked
package ebb.net.port;

import org.jspecify.annotations.NullMarked;
