package ebb.background.law;

/**
 * How fast to read from a connection whose window and round trips are out of reach. While the
 * reader is slower than the path, the kernel's buffer is what holds the sender back and no queue of
 * this connection grows; so it reads a little faster as long as data always waits, and half as fast
 * as data comes once it had to wait for it. Sans-IO.
 */
public final class ReadRateLaw {
  private static final long INTERVAL_MICROS = 200_000;
  private static final double FIRST_BYTES_PER_SECOND = 125_000;

  /** A packet in 100 ms. */
  private static final double LEAST_BYTES_PER_SECOND = 15_000;

  private static final double GROWTH = 1.1;

  /**
   * What every sender may send at once (RFC 6928): handshakes and greetings, whose pauses say
   * nothing of the path.
   */
  private static final long FIRST_BYTES = 10 * 1_448;

  private double bytesPerSecond = FIRST_BYTES_PER_SECOND;
  private double debt;
  private long paidAt = Long.MIN_VALUE;
  private long intervalBegan = Long.MIN_VALUE;
  private long intervalBytes;
  private long totalBytes;
  private long waitedMicros;
  private long askedAt = Long.MIN_VALUE;

  /** Somebody waits for data from now on. */
  public void asked(long nowMicros) {
    if (askedAt == Long.MIN_VALUE) {
      askedAt = nowMicros;
    }
  }

  /** Data was read. */
  public void arrived(long nowMicros, long bytes) {
    pay(nowMicros);
    debt += bytes;
    intervalBytes += bytes;
    totalBytes += bytes;
    if (askedAt != Long.MIN_VALUE) {
      waitedMicros += nowMicros - askedAt;
      askedAt = Long.MIN_VALUE;
    }
    if (intervalBegan == Long.MIN_VALUE || totalBytes <= FIRST_BYTES) {
      startInterval(nowMicros);
    }
    long duration = nowMicros - intervalBegan;
    if (duration >= INTERVAL_MICROS) {
      if (waitedMicros > duration / 2) {
        bytesPerSecond =
            Math.max(
                LEAST_BYTES_PER_SECOND,
                Math.min(bytesPerSecond, 0.5 * intervalBytes * 1e6 / duration));
      } else {
        bytesPerSecond *= GROWTH;
      }
      startInterval(nowMicros);
    }
  }

  private void startInterval(long nowMicros) {
    intervalBegan = nowMicros;
    intervalBytes = 0;
    waitedMicros = 0;
  }

  /** How long not to read. */
  public long waitMicros(long nowMicros) {
    pay(nowMicros);
    return debt <= 0 ? 0 : 1 + (long) (debt * 1e6 / bytesPerSecond);
  }

  /** Bytes a second. */
  public double bytesPerSecond() {
    return bytesPerSecond;
  }

  private void pay(long nowMicros) {
    if (paidAt != Long.MIN_VALUE) {
      debt = Math.max(0, debt - bytesPerSecond * (nowMicros - paidAt) / 1e6);
    }
    paidAt = nowMicros;
  }
}
