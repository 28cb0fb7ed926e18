package ebb.disk;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** What requests of one kind came to. Not thread-safe. */
final class Tally {
  /** The longest latency that is told from longer ones. */
  static final long MAX_NANOS = 3_600_000_000_000L;

  private static final int SIGNIFICANT_DIGITS = 3;

  final Histogram latencies = new Histogram(MAX_NANOS, SIGNIFICANT_DIGITS);

  /** Requests that ended in each part of the time. */
  final long[] windows = new long[Steadiness.WINDOWS];

  long clampedCount;

  /** A request has ended, so long after the begin of the phase. */
  void record(long nanos, long at, long lengthNanos) {
    if (nanos > MAX_NANOS) {
      clampedCount++;
    }
    latencies.recordValue(Math.min(Math.max(0, nanos), MAX_NANOS));
    windows[(int) Math.max(0, at * Steadiness.WINDOWS / lengthNanos)]++;
  }

  void add(Tally other) {
    latencies.add(other.latencies);
    clampedCount += other.clampedCount;
    Arrays.setAll(windows, i -> windows[i] + other.windows[i]);
  }
}
