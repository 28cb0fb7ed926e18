package ebb.disk;

/**
 * Whether a rate had settled while it was measured, judged as SNIA's Solid State Storage
 * Performance Test Specification does: over five windows the values differ by at most 20% of their
 * mean, and the line fitted through them rises or falls by at most 10% of it.
 */
final class Steadiness {
  static final int WINDOWS = 5;
  private static final double MAX_EXCURSION = 0.20;
  private static final double MAX_SLOPE = 0.10;

  private Steadiness() {}

  /** The rate of each window, all of the same length, in any unit. */
  static boolean isSteady(double... windows) {
    int n = windows.length;
    double mean = 0;
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    for (double value : windows) {
      mean += value / n;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    if (n < 2 || !(mean > 0)) {
      return false;
    }
    double products = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double x = i - (n - 1) / 2.0;
      products += x * (windows[i] - mean);
      squares += x * x;
    }
    double rise = products / squares * (n - 1);
    return max - min <= MAX_EXCURSION * mean && Math.abs(rise) <= MAX_SLOPE * mean;
  }
}
