package ebb.core.stats;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

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

  /** Numbers before the pairs of {@link #numbers}. */
  private static final int SUMS = 4;

  /** More different values cannot be told apart. */
  private static final int MAX_PAIRS = 30_000;

  private static final long MAX_COUNT = 1L << 50;

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

  /**
   * Everything, as numbers to be written down: the smallest and the largest value, the sum, how
   * many were clamped, then each value with how often it was counted. {@link #ofNumbers} makes the
   * same histogram of them.
   */
  public List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    boolean any = count() > 0;
    numbers.add(any ? minMicros : 0);
    numbers.add(any ? maxMicros : 0);
    numbers.add((long) sumMicros);
    numbers.add(clampedCount);
    for (HistogramIterationValue one : histogram.recordedValues()) {
      numbers.add(one.getValueIteratedTo());
      numbers.add(one.getCountAtValueIteratedTo());
    }
    return numbers;
  }

  /**
   * What {@link #numbers} wrote, here or elsewhere.
   *
   * @throws IllegalArgumentException when no histogram has these
   */
  public static LatencyHistogram ofNumbers(List<Long> numbers) {
    int pairs = (numbers.size() - SUMS) / 2;
    if (numbers.size() < SUMS || numbers.size() % 2 != 0 || pairs > MAX_PAIRS) {
      throw new IllegalArgumentException("no histogram: " + numbers.size() + " numbers");
    }
    LatencyHistogram made = new LatencyHistogram();
    for (int at = SUMS; at < numbers.size(); at += 2) {
      long count = within(numbers.get(at + 1), 1, MAX_COUNT / MAX_PAIRS);
      made.histogram.recordValueWithCount(
          Math.min(MAX_MICROS, within(numbers.get(at), 0, 2 * MAX_MICROS)), count);
    }
    if (pairs > 0) {
      made.minMicros = within(numbers.get(0), 0, MAX_MICROS);
      made.maxMicros = within(numbers.get(1), made.minMicros, MAX_MICROS);
      made.sumMicros = within(numbers.get(2), 0, Long.MAX_VALUE);
      made.clampedCount = within(numbers.get(3), 0, made.count());
    }
    return made;
  }

  private static long within(long number, long least, long most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException("no histogram: " + number);
    }
    return number;
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
