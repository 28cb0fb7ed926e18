package ebb.testkit.link;

import java.util.Arrays;

/** Values with the times at which they were taken, in order of time. */
public final class TimedSamples {
  private long[] times = new long[1_024];
  private int[] values = new int[1_024];
  private int size;

  /** Adds a value; {@code timeMicros} must not be before the last one's. */
  public void add(long timeMicros, long value) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    times[size] = timeMicros;
    values[size++] = (int) Math.min(Integer.MAX_VALUE, value);
  }

  public int size() {
    return size;
  }

  public long timeMicros(int index) {
    return times[index];
  }

  public long value(int index) {
    return values[index];
  }

  /**
   * The value below which {@code percent} of the samples in [{@code from}, {@code to}) lie; NaN
   * when there are none.
   */
  public double percentile(double percent, long fromMicros, long toMicros) {
    int first = firstAtOrAfter(fromMicros);
    int end = firstAtOrAfter(toMicros);
    if (first == end) {
      return Double.NaN;
    }
    int[] sorted = Arrays.copyOfRange(values, first, end);
    Arrays.sort(sorted);
    // Nearest rank.
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }

  /** The index of the first sample not before {@code timeMicros}. */
  public int firstAtOrAfter(long timeMicros) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < timeMicros) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
