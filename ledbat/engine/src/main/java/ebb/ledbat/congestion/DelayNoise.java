package ebb.ledbat.congestion;

/**
 * How much the delay of a path varies without any queue: radio links and busy hosts hold packets
 * back. It is measured from two packets that were sent next to each other while this connection had
 * stopped: a queue is the same for both, whoever made it. Owns the mean over the last stops.
 *
 * <p>Not thread-safe.
 */
final class DelayNoise {
  /** Less than this is what the law allows for anyway. */
  private static final double IGNORED_MICROS = 2_000;

  private static final double MAX_MICROS = 25_000;
  private static final double WEIGHT = 0.2;

  /**
   * Of two values spread evenly over a range the second is higher by a sixth of it on average, not
   * counting where it is lower: packets keep their order.
   */
  private static final double RANGE_PER_RISE = 6;

  private boolean stopped;
  private int wanted;
  private long firstMicros;
  private double meanMicros;
  private int stops;

  /**
   * A one-way delay was measured.
   *
   * @param stopped while this connection lets the queue empty; what it sends then comes after that
   * @param packetMicros what one packet takes on the link
   */
  void onDelay(long delayMicros, boolean stopped, double packetMicros) {
    if (this.stopped && !stopped) {
      wanted = 2;
    }
    this.stopped = stopped;
    if (stopped || wanted == 0) {
      return;
    }
    if (--wanted == 1) {
      firstMicros = delayMicros;
      return;
    }
    double rise = Math.max(0, delayMicros - firstMicros - packetMicros);
    double weight = Math.max(WEIGHT, 1.0 / ++stops);
    meanMicros += weight * (Math.min(MAX_MICROS, RANGE_PER_RISE * rise) - meanMicros);
  }

  /** Microseconds; 0 for a path that hardly varies. */
  long micros() {
    return meanMicros < IGNORED_MICROS ? 0 : (long) meanMicros;
  }
}
