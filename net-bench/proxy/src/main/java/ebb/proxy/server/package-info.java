/** The proxy itself: its doors, relays, caps and counts. */
@NullMarked
package ebb.proxy.server;

import org.jspecify.annotations.NullMarked;
