package ebb.ledbat.congestion;

/**
 * Tells a path that became longer or shorter from a queue. While this connection sends next to
 * nothing, a "queue" that does not move is a longer path: if it grew as slowly as queues do it must
 * not move for seconds; if it came at once, as routes change, for a few round trips. A packet that
 * overtakes another by far went a shorter path, for queues keep their order. Owns the last step of
 * the delay, and the range in which the queue stayed; what follows is the controller's.
 *
 * <p>Not thread-safe.
 */
final class RouteChange {
  private static final long SLACK_MICROS = 1_000;
  private static final long FLAT_MICROS = 3_000_000;
  private static final int FLAT_ROUNDS = 8;

  /** A shorter step may be a burst of a rival that went on at the link's rate. */
  private static final long STEP_MICROS = 20_000;

  /** Whoever sends so many times as fast as the link makes a queue grow as fast, and no faster. */
  private static final int STEP_SLOPE = 8;

  /** What stays of a step, at least, is the path's; what a burst left runs dry. */
  private static final double STEP_PART = 0.8;

  private static final long STEP_FLAT_MICROS = 500_000;
  private static final int STEP_FLAT_ROUNDS = 6;

  private static final long NEVER = Long.MIN_VALUE;

  /** Paths that always mix their packets tell of a shorter one no more often than this. */
  private static final long SHORTER_INTERVAL_MICROS = 10_000_000;

  private long lastDelayMicros;
  private long lastSentMicros = NEVER;
  private long stepMicros;
  private double stepCwnd;
  private long shorterMicros = NEVER;
  private double resumeBytes;

  private int rounds;
  private long sinceMicros;
  private double lowMicros;
  private double highMicros;

  /**
   * A one-way delay was measured.
   *
   * @param sentMicros when its packet was sent
   * @param cwnd the window today, in bytes
   * @return by how much the path became shorter, 0 if it did not
   */
  long onDelay(long oneWayDelayMicros, long sentMicros, double cwnd) {
    long longerMicros = lastSentMicros == NEVER ? 0 : oneWayDelayMicros - lastDelayMicros;
    long gapMicros = Math.abs(sentMicros - lastSentMicros);
    lastDelayMicros = oneWayDelayMicros;
    lastSentMicros = sentMicros;
    if (longerMicros > Math.max(STEP_MICROS, STEP_SLOPE * gapMicros)) {
      stepMicros = longerMicros;
      stepCwnd = cwnd;
    } else if (-longerMicros > (1 - STEP_PART) * stepMicros) {
      stepMicros = 0;
    }
    boolean isShorter =
        -longerMicros > Math.max(STEP_MICROS, 2 * gapMicros)
            && (shorterMicros == NEVER || sentMicros - shorterMicros > SHORTER_INTERVAL_MICROS);
    if (!isShorter) {
      return 0;
    }
    shorterMicros = sentMicros;
    return -longerMicros;
  }

  /**
   * A round trip ended.
   *
   * @param candidate whether this connection sends next to nothing and sees a queue all the same
   * @return by how much the path became longer, 0 if it did not
   */
  long onRound(double queueMicros, boolean candidate, double packetMicros, long nowMicros) {
    double low = rounds == 0 ? queueMicros : Math.min(lowMicros, queueMicros);
    double high = rounds == 0 ? queueMicros : Math.max(highMicros, queueMicros);
    if (!candidate || high - low > Math.max(SLACK_MICROS, packetMicros)) {
      rounds = 0;
      return 0;
    }
    if (rounds++ == 0) {
      sinceMicros = nowMicros;
    }
    lowMicros = low;
    highMicros = high;
    boolean atOnce = stepMicros > 0 && low > STEP_PART * stepMicros;
    if (rounds < (atOnce ? STEP_FLAT_ROUNDS : FLAT_ROUNDS)
        || nowMicros - sinceMicros < (atOnce ? STEP_FLAT_MICROS : FLAT_MICROS)) {
      return 0;
    }
    rounds = 0;
    resumeBytes = atOnce ? stepCwnd : 0;
    stepMicros = 0;
    return (long) low;
  }

  /** The window from before the step that was found to be a longer path; 0 if there was none. */
  double resumeBytes() {
    return resumeBytes;
  }
}
