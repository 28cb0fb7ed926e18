package ebb.core.stats;

import java.util.Arrays;

/**
 * What a set of samples looks like: count, extremes, mean, spread and exact percentiles. It keeps a
 * sorted copy of the samples, so it is for runs and intervals; {@link LatencyHistogram} is for
 * millions of values. Immutable.
 */
public final class Summary {
  private final double[] sorted;
  private final double mean;
  private final double variance;

  private Summary(double[] sorted) {
    this.sorted = sorted;
    // Means of the scaled parts, so that a sum of large samples cannot overflow.
    double sum = 0;
    double lost = 0;
    for (double value : sorted) {
      double part = value / sorted.length - lost;
      double next = sum + part;
      lost = (next - sum) - part;
      sum = next;
    }
    // A rounding error must not put the mean outside the samples.
    mean = Math.max(sorted[0], Math.min(sorted[sorted.length - 1], sum));
    double squares = 0;
    for (double value : sorted) {
      squares += (value - mean) * (value - mean);
    }
    variance = sorted.length > 1 ? squares / (sorted.length - 1) : Double.NaN;
  }

  /**
   * Sums up samples, which are copied.
   *
   * @throws IllegalArgumentException without samples, or with one that is not finite
   */
  public static Summary of(double... samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("no samples");
    }
    for (double sample : samples) {
      if (!Double.isFinite(sample)) {
        throw new IllegalArgumentException("not a finite sample: " + sample);
      }
    }
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    return new Summary(sorted);
  }

  public int count() {
    return sorted.length;
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }

  public double mean() {
    return mean;
  }

  /** The sample variance (divided by n - 1); NaN for a single sample, which has none. */
  public double variance() {
    return variance;
  }

  /** The root of {@link #variance()}. */
  public double stdDev() {
    return Math.sqrt(variance);
  }

  public double median() {
    return percentile(50);
  }

  /**
   * The value that {@code percent} of the samples do not exceed, interpolated linearly between
   * neighbours (Hyndman and Fan's type 7, the default of R and NumPy).
   *
   * @param percent 0 to 100
   */
  public double percentile(double percent) {
    return percentileOfSorted(sorted, percent);
  }

  static double percentileOfSorted(double[] sorted, double percent) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("a percentile lies between 0 and 100: " + percent);
    }
    double rank = percent / 100 * (sorted.length - 1);
    int below = (int) Math.floor(rank);
    double share = rank - below;
    if (share == 0) {
      return sorted[below];
    }
    return sorted[below] * (1 - share) + sorted[below + 1] * share;
  }
}
