package ebb.testkit.libutp;

/**
 * libutp's guess at how fast the peer's clock runs away (utp_internal.cpp, {@code clock_drift}):
 * the change between averages of one-way delays over five seconds each, smoothed by an eighth. It
 * owns the averages; a queue that falls looks the same to it.
 */
final class ClockDrift {
  private static final long SLOT_MILLIS = 5_000;
  private static final long PENALTY_FROM_MICROS = 200_000;
  private static final int PENALTY_DIVISOR = 7;
  private static final int SMOOTHING = 8;

  private boolean began;
  private long firstDelayMicros;
  private long slotEndsMillis;
  private long sumMicros;
  private long samples;
  private long averageMicros;
  private long driftMicros;

  void add(long delayMicros, long nowMillis) {
    if (!began) {
      began = true;
      firstDelayMicros = delayMicros;
      slotEndsMillis = nowMillis + SLOT_MILLIS;
    }
    sumMicros += delayMicros - firstDelayMicros;
    samples++;
    if (nowMillis > slotEndsMillis) {
      long before = averageMicros;
      averageMicros = sumMicros / samples;
      slotEndsMillis += SLOT_MILLIS;
      sumMicros = 0;
      samples = 0;
      driftMicros = (driftMicros * (SMOOTHING - 1) + averageMicros - before) / SMOOTHING;
    }
  }

  /** Microseconds in five seconds. */
  long driftMicros() {
    return driftMicros;
  }

  /** What is added to the queuing delay when delays fall faster than honest clocks let them. */
  long penaltyMicros() {
    return driftMicros < -PENALTY_FROM_MICROS
        ? (-driftMicros - PENALTY_FROM_MICROS) / PENALTY_DIVISOR
        : 0;
  }
}
