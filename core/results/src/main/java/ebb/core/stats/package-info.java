/**
 * Statistics of measurements: summaries, latency histograms and comparisons of runs. Pure
 * arithmetic; randomness is handed in.
 */
@NullMarked
package ebb.core.stats;

import org.jspecify.annotations.NullMarked;
