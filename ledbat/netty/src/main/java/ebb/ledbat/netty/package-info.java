/** The driver that owns a UDP channel, the time and the timers. */
@NullMarked
package ebb.ledbat.netty;

import org.jspecify.annotations.NullMarked;
