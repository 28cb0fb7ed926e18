/** Many connections behind one datagram address: demultiplexing, accepting, caps. */
@NullMarked
package ebb.ledbat.endpoint;

import org.jspecify.annotations.NullMarked;
