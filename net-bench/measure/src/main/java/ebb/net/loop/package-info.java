/** The event loop of TCP's and UDP's sockets. */
@NullMarked
package ebb.net.loop;

import org.jspecify.annotations.NullMarked;
