package ebb.net.yield;

import java.util.Arrays;

/**
 * A count that grows, known at some times: bytes that have arrived. Between two samples it grows
 * evenly; before the first it is 0 and after the last it does not grow. Not thread-safe.
 */
final class Cumulative {
  private long[] times = new long[1_024];
  private long[] counts = new long[1_024];
  private int size;

  /** A sample; one that is not later than the one before, or less, is left out. */
  void add(long micros, long count) {
    if (size > 0 && (micros <= times[size - 1] || count < counts[size - 1])) {
      return;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    times[size] = micros;
    counts[size] = count;
    size++;
  }

  int size() {
    return size;
  }

  long timeMicros(int index) {
    return times[index];
  }

  /** The count at a time. */
  double at(long micros) {
    int found = Arrays.binarySearch(times, 0, size, micros);
    if (found >= 0) {
      return counts[found];
    }
    int after = -found - 1;
    if (after == 0) {
      return 0;
    }
    if (after == size) {
      return counts[size - 1];
    }
    double part = (double) (micros - times[after - 1]) / (times[after] - times[after - 1]);
    return counts[after - 1] + part * (counts[after] - counts[after - 1]);
  }

  /** How much it grew in [from, to). */
  double grown(long fromMicros, long toMicros) {
    return at(toMicros) - at(fromMicros);
  }

  /** Eight times its growth a second: bits a second for a count of bytes; NaN for no time. */
  double bitsPerSecond(long fromMicros, long toMicros) {
    return toMicros > fromMicros
        ? grown(fromMicros, toMicros) * 8e6 / (toMicros - fromMicros)
        : Double.NaN;
  }
}
