/** Measurements as Kompics ports: streaming, stop-and-wait and echoes. */
@NullMarked
package ebb.net.port;

import org.jspecify.annotations.NullMarked;
