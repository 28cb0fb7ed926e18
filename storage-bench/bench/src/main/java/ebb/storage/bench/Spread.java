package ebb.storage.bench;

import java.util.Arrays;

/**
 * What was under way when, so that several clients can be summed over the time that all of them
 * have in common: bytes and operations are spread evenly over the time that each operation took, in
 * bins of equal length that grow as the phase does. Not thread-safe.
 */
public final class Spread {
  private static final int MOST = 1 << 15;
  private static final long FIRST_MICROS = 1_000;

  private long widthMicros = FIRST_MICROS;
  private double[] bytes = new double[64];
  private double[] operations = new double[64];

  /** What was done in some time; parts of operations count as parts. */
  public record Sum(double bytes, double operations) {
    /** Both together. */
    public Sum and(Sum other) {
      return new Sum(bytes + other.bytes, operations + other.operations);
    }
  }

  /**
   * Counts an operation.
   *
   * @param fromMicros since the begin of the phase, as with {@code toMicros}
   */
  void add(long fromMicros, long toMicros, long ofBytes) {
    long from = Math.max(0, fromMicros);
    long to = Math.max(from + 1, toMicros);
    makeRoom(to);
    double each = to - from;
    for (long at = from; at < to; ) {
      int bin = (int) (at / widthMicros);
      long until = Math.min(to, (bin + 1) * widthMicros);
      bytes[bin] += ofBytes * (until - at) / each;
      operations[bin] += (until - at) / each;
      at = until;
    }
  }

  private void makeRoom(long toMicros) {
    while (toMicros > MOST * widthMicros) {
      widthMicros *= 2;
      halve(bytes);
      halve(operations);
    }
    int needed = (int) ((toMicros + widthMicros - 1) / widthMicros);
    if (needed > bytes.length) {
      int length = Math.min(MOST, Math.max(needed, 2 * bytes.length));
      bytes = Arrays.copyOf(bytes, length);
      operations = Arrays.copyOf(operations, length);
    }
  }

  private static void halve(double[] bins) {
    for (int i = 0; i < bins.length; i++) {
      double sum = i % 2 == 0 ? bins[i] + (i + 1 < bins.length ? bins[i + 1] : 0) : 0;
      bins[i] = 0;
      if (i % 2 == 0) {
        bins[i / 2] = sum;
      }
    }
  }

  /** What was done between two times since the begin of the phase. */
  public Sum between(long fromMicros, long toMicros) {
    double sumBytes = 0;
    double sumOperations = 0;
    for (int bin = 0; bin < bytes.length; bin++) {
      double from = Math.max(fromMicros, bin * widthMicros);
      double to = Math.min(toMicros, (bin + 1) * widthMicros);
      if (to > from) {
        sumBytes += bytes[bin] * (to - from) / widthMicros;
        sumOperations += operations[bin] * (to - from) / widthMicros;
      }
    }
    return new Sum(sumBytes, sumOperations);
  }
}
