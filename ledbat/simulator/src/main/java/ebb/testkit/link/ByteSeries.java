package ebb.testkit.link;

import java.util.Arrays;

/** Bytes over time, in bins of {@value #BIN_MICROS} us, so that any interval can be summed. */
public final class ByteSeries {
  public static final long BIN_MICROS = 10_000;

  private long[] bins = new long[256];
  private int used;
  private long total;

  /** Adds bytes at a time. */
  public void add(long nowMicros, long bytes) {
    int bin = Math.toIntExact(nowMicros / BIN_MICROS);
    if (bin >= bins.length) {
      bins = Arrays.copyOf(bins, Math.max(bin + 1, bins.length * 2));
    }
    used = Math.max(used, bin + 1);
    bins[bin] += bytes;
    total += bytes;
  }

  public long total() {
    return total;
  }

  /** Bytes in [{@code from}, {@code to}); a bin that is cut counts by its share. */
  public double sum(long fromMicros, long toMicros) {
    double sum = 0;
    int last = (int) Math.min(used - 1L, (toMicros - 1) / BIN_MICROS);
    for (int bin = (int) Math.max(0, fromMicros / BIN_MICROS); bin <= last; bin++) {
      long start = bin * BIN_MICROS;
      long covered = Math.min(toMicros, start + BIN_MICROS) - Math.max(fromMicros, start);
      sum += bins[bin] * (double) covered / BIN_MICROS;
    }
    return sum;
  }

  /** Mean rate in bits a second over [{@code from}, {@code to}). */
  public double bitsPerSecond(long fromMicros, long toMicros) {
    return sum(fromMicros, toMicros) * 8e6 / (toMicros - fromMicros);
  }

  /** The longest time in [{@code from}, {@code to}) without a byte, to the bin's precision. */
  public long longestGapMicros(long fromMicros, long toMicros) {
    long longest = 0;
    long gap = 0;
    for (long bin = fromMicros / BIN_MICROS; bin < toMicros / BIN_MICROS; bin++) {
      gap = bin < used && bins[(int) bin] > 0 ? 0 : gap + BIN_MICROS;
      longest = Math.max(longest, gap);
    }
    return longest;
  }
}
