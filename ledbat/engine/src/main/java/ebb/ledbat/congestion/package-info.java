/** Congestion controllers and their delay filters. Knows neither wire nor recovery. */
@NullMarked
package ebb.ledbat.congestion;

import org.jspecify.annotations.NullMarked;
