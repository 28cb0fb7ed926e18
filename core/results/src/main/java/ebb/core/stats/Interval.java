package ebb.core.stats;

/**
 * A confidence interval.
 *
 * @param low the lower end, at most {@code high}
 * @param high the upper end
 * @param confidence the share of such intervals that hold the true value, above 0 and below 1
 */
public record Interval(double low, double high, double confidence) {
  public Interval {
    if (!(low <= high)) {
      throw new IllegalArgumentException("not an interval: " + low + " to " + high);
    }
    checkConfidence(confidence);
  }

  static void checkConfidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence lies between 0 and 1: " + confidence);
    }
  }

  /** Whether {@code value} lies in the interval, its ends included. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
