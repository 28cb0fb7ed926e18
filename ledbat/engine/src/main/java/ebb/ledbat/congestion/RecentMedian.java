package ebb.ledbat.congestion;

import java.util.Arrays;

/**
 * The median of the last five values: one or two that stand out, as where a host was late, do not
 * move it.
 *
 * <p>Not thread-safe.
 */
final class RecentMedian {
  private static final int VALUES = 5;

  private final double[] values = new double[VALUES];
  private int count;

  /** Takes a value; the median of the last five, or of as many as there are. */
  double add(double value) {
    values[count++ % VALUES] = value;
    int known = Math.min(count, VALUES);
    double[] sorted = Arrays.copyOf(values, known);
    Arrays.sort(sorted);
    return sorted[known / 2];
  }
}
