package ebb.proxy.server;

import java.util.function.LongSupplier;

/**
 * A rate that many share in turns. Who has read bytes reserves the time that they take, behind all
 * reservations before, and reads again when that time has come; so those who read equal amounts get
 * equal shares. Times are microseconds of one time line. It reads no clock. Not thread-safe.
 */
final class RateBudget {
  /** What is not used is kept for so long. */
  private static final long BURST_MICROS = 20_000;

  /** One read of each: large enough to be cheap, small enough for turns. */
  private static final long QUANTUM_MICROS = 20_000;

  private static final int MIN_QUANTUM_BYTES = 1_024;
  private static final double MICROS_PER_SECOND = 1e6;

  private final LongSupplier bytesPerSecond;
  private double freeMicros = Long.MIN_VALUE;

  /**
   * A budget.
   *
   * @param bytesPerSecond the rate of the moment; 0 for none
   */
  RateBudget(LongSupplier bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Reserves bytes that have been read; the time from which their reader may read again. */
  long reserve(long nowMicros, int bytes) {
    long rate = bytesPerSecond.getAsLong();
    if (rate == 0) {
      freeMicros = nowMicros;
      return nowMicros;
    }
    freeMicros =
        Math.max(freeMicros, (double) nowMicros - BURST_MICROS) + bytes * MICROS_PER_SECOND / rate;
    return (long) Math.ceil(freeMicros);
  }

  /** How much may be read at once, at most. */
  int quantumBytes(int atMost) {
    long rate = bytesPerSecond.getAsLong();
    long quantum = rate * QUANTUM_MICROS / (long) MICROS_PER_SECOND;
    return rate == 0 ? atMost : (int) Math.min(atMost, Math.max(MIN_QUANTUM_BYTES, quantum));
  }
}
