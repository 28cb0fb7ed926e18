/** The kernel's TCP through Netty: one event loop, and the choice of its congestion control. */
@NullMarked
package ebb.net.tcp;

import org.jspecify.annotations.NullMarked;
