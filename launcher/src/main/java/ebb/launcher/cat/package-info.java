/** Netcat over LEDBAT. */
@NullMarked
package ebb.launcher.cat;

import org.jspecify.annotations.NullMarked;
