package ebb.core.stats;

import org.HdrHistogram.Histogram;

/**
 * Latencies by the million in constant memory (under 200 KiB): an HdrHistogram of three significant
 * digits from 1 us to one hour. Extremes and mean are exact; percentiles are at most 0.1% too high.
 * Values above an hour are counted as one hour, and {@link #clampedCount()} says how many. Not
 * thread-safe: one per thread, joined with {@link #add}.
 */
public final class LatencyHistogram {
  /** The largest value that is told from larger ones. */
  public static final long MAX_MICROS = 3_600_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram histogram = new Histogram(MAX_MICROS, SIGNIFICANT_DIGITS);
  private long minMicros = Long.MAX_VALUE;
  private long maxMicros = Long.MIN_VALUE;
  private double sumMicros;
  private long clampedCount;

  /**
   * Counts one latency.
   *
   * @param micros 0 or more
   */
  public void recordMicros(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException("a latency cannot be negative: " + micros);
    }
    long counted = micros;
    if (micros > MAX_MICROS) {
      counted = MAX_MICROS;
      clampedCount++;
    }
    histogram.recordValue(counted);
    minMicros = Math.min(minMicros, counted);
    maxMicros = Math.max(maxMicros, counted);
    sumMicros += counted;
  }

  /** Counts everything that {@code other} has counted, too. */
  public void add(LatencyHistogram other) {
    histogram.add(other.histogram);
    minMicros = Math.min(minMicros, other.minMicros);
    maxMicros = Math.max(maxMicros, other.maxMicros);
    sumMicros += other.sumMicros;
    clampedCount += other.clampedCount;
  }

  public long count() {
    return histogram.getTotalCount();
  }

  /** How many values were above {@link #MAX_MICROS}. */
  public long clampedCount() {
    return clampedCount;
  }

  /** The smallest value; NaN when nothing was counted. */
  public double minMicros() {
    return count() == 0 ? Double.NaN : minMicros;
  }

  /** The largest value; NaN when nothing was counted. */
  public double maxMicros() {
    return count() == 0 ? Double.NaN : maxMicros;
  }

  /** The mean; NaN when nothing was counted. */
  public double meanMicros() {
    return count() == 0 ? Double.NaN : sumMicros / count();
  }

  /**
   * How many values were at most so long, as exactly as three digits tell.
   *
   * @param micros 0 or more
   */
  public long countAtMost(long micros) {
    return micros >= maxMicros
        ? count()
        : histogram.getCountBetweenValues(0, Math.min(micros, MAX_MICROS));
  }

  /**
   * The value that {@code percent} of the values do not exceed; NaN when nothing was counted.
   *
   * @param percent 0 to 100
   */
  public double percentileMicros(double percent) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("a percentile lies between 0 and 100: " + percent);
    }
    if (count() == 0) {
      return Double.NaN;
    }
    // The histogram answers with the upper end of a bucket, which may lie beyond what was seen.
    return Math.max(minMicros, Math.min(maxMicros, histogram.getValueAtPercentile(percent)));
  }
}
