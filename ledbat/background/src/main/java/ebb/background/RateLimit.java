package ebb.background;

/**
 * A rate that many connections share, as a debt: who took more than there was waits. Thread-safe.
 */
final class RateLimit {
  /** So much may come at once after a silence. */
  private static final double BURST_SECONDS = 0.05;

  private double bytesPerSecond;
  private double available;
  private long last;

  /** bytesPerSecond: 0 for no limit. */
  synchronized void set(long newBytesPerSecond, long nowMicros) {
    refill(nowMicros);
    bytesPerSecond = newBytesPerSecond;
    available = Math.min(available, newBytesPerSecond * BURST_SECONDS);
  }

  synchronized long bytesPerSecond() {
    return (long) bytesPerSecond;
  }

  synchronized void take(long bytes, long nowMicros) {
    if (bytesPerSecond > 0) {
      refill(nowMicros);
      available -= bytes;
    }
  }

  /** How long to wait before taking more. */
  synchronized long waitMicros(long nowMicros) {
    if (bytesPerSecond == 0) {
      return 0;
    }
    refill(nowMicros);
    return available > 0 ? 0 : 1 + (long) (-available * 1e6 / bytesPerSecond);
  }

  private void refill(long nowMicros) {
    available =
        Math.min(
            bytesPerSecond * BURST_SECONDS, available + bytesPerSecond * (nowMicros - last) / 1e6);
    last = nowMicros;
  }
}
