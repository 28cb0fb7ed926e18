package ebb.files;

/**
 * How fast content may be read, by all sessions together: each read is told how long to wait after
 * it, and what is not read fills the window that the sender sees. Times are in nanoseconds of any
 * steady clock. Thread-safe.
 */
final class ReadRate {
  /** What was not used may be made up for, for as long as this. */
  private static final long BURST_NANOS = 100_000_000;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MIN_WINDOW_BYTES = 64 << 10;

  private final long bytesPerSecond;
  private long freeNanos = Long.MIN_VALUE;

  /**
   * @param bytesPerSecond 0 for no bound
   */
  ReadRate(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** How long to wait after reading that much. */
  synchronized long waitNanos(int bytes, long nowNanos) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    freeNanos = Math.max(freeNanos, nowNanos - BURST_NANOS);
    freeNanos += (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    return Math.max(0, freeNanos - nowNanos);
  }

  /**
   * How much may wait to be read, so that a sender cannot run far ahead of the rate: what it brings
   * in a quarter of a second, within bounds.
   */
  static int windowBytes(long bytesPerSecond, int most) {
    return bytesPerSecond == 0
        ? most
        : (int) Math.min(most, Math.max(MIN_WINDOW_BYTES, bytesPerSecond / 4));
  }
}
