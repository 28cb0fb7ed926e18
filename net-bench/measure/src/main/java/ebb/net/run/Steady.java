package ebb.net.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * From when on a stream ran at its own rate, as this client counted it: slow start, a cold JVM or a
 * path that wakes up come before. It changes no other figure; {@code -O} leaves the beginning out.
 *
 * @param fromMicros after the warm-up that was asked for; 0 when it was steady all the time
 * @param bitsPerSecond from then on
 */
public record Steady(long fromMicros, double bitsPerSecond) {
  private static final int MIN_INTERVALS = 6;

  /** An interval that is this near to the later ones is one of them. */
  private static final double TOLERANCE = 0.1;

  /**
   * Of one direction; nothing when there are too few intervals to tell, or when it was not steady
   * before the second half.
   */
  public static Optional<Steady> of(List<RunSample> samples, boolean sending) {
    List<RunSample> measured = samples.stream().filter(sample -> !sample.warmUp()).toList();
    // The last one has the end in it, when there is nothing left to send.
    int intervals = measured.size() - 1;
    if (intervals < MIN_INTERVALS) {
      return Optional.empty();
    }
    long[] bytes = new long[intervals];
    double[] rates = new double[intervals];
    for (int i = 0; i < intervals; i++) {
      bytes[i] = measured.get(i).arrivedBytes(sending);
      rates[i] = bytes[i] * 8e6 / measured.get(i).micros();
    }
    int first = firstSteady(rates);
    if (first > intervals / 2) {
      return Optional.empty();
    }
    long from = measured.get(first).fromMicros();
    long micros = Math.max(1, measured.get(intervals - 1).toMicros() - from);
    long total = Arrays.stream(bytes, first, intervals).sum();
    return Optional.of(new Steady(from - measured.get(0).fromMicros(), total * 8e6 / micros));
  }

  /** The first that is as the median of the second half. */
  static int firstSteady(double[] rates) {
    double[] later = Arrays.copyOfRange(rates, rates.length / 2, rates.length);
    Arrays.sort(later);
    double median = later[later.length / 2];
    int first = 0;
    while (first < rates.length && Math.abs(rates[first] - median) > TOLERANCE * median) {
      first++;
    }
    return first;
  }
}
