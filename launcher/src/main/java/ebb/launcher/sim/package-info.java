/** {@code ebb sim}: scenarios on virtual time, judged by their own thresholds. */
@NullMarked
package ebb.launcher.sim;

import org.jspecify.annotations.NullMarked;
