/**
 * What the engine tells whoever wants to watch it: events of connections, for traces, and counts,
 * for monitoring. It knows of the engine only the packets of {@code wire}.
 */
@NullMarked
package ebb.ledbat.trace;

import org.jspecify.annotations.NullMarked;
