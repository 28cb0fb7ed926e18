package ebb.ledbat.congestion;

/**
 * Whether the queue rises and falls as a TCP's saw: it empties at once although this connection
 * sends on, stays short for several round trips, in which this connection grows, and climbs back;
 * where a host is late it leaps. Those of this kind do not do that: who stops lets the queue empty
 * for a round trip or two, and who leaves does not come back. CoDel keeps the saw of a TCP so short
 * that it is not a long queue and passes for one at rest. Where somebody takes a small part of what
 * the path carried before, the buffer is short and so are the teeth. Owns what is remembered of the
 * present tooth.
 *
 * <p>Not thread-safe.
 */
final class QueueSaw {
  /** A longer queue, in times of the least, tells of a rival by itself, or is a newcomer's ramp. */
  private static final double MOST_HEIGHT = 3;

  /** A queue that falls below this part of its height has emptied, beside a small TCP this ... */
  private static final double EMPTIED = 0.25;

  private static final double EMPTIED_BY_SMALL = 0.4;

  /** ... and is back when it reaches this part of it ... */
  private static final double BACK = 0.8;

  /** ... after at least so many round trips: those of this kind stop for one or two. */
  private static final int LEAST_ROUNDS = 5;

  private static final int LEAST_ROUNDS_OF_SMALL = 3;

  /** ... of which the last two are above this part of it: where a host is late it leaps. */
  private static final double CLIMBING = 0.3;

  private static final int CLIMBING_ROUNDS = 2;

  /** After so many it is another queue. */
  private static final int MOST_ROUNDS = 100;

  /** So much of the height is left a round trip later. */
  private static final double KEPT_HEIGHT = 0.98;

  /** A lower window explains so many times what it takes out of the queue. */
  private static final double OWN_DOING = 2;

  /** Whose window moves by less than this is alone, and the path varies, unless ... */
  private static final double WINDOW_MOVED = 1.07;

  /** ... it sends no more than this part of what the path carries, and more than two share. */
  private static final double MOST_BESIDE_SMALL = 0.93;

  private static final double LEAST_BESIDE_SMALL = 0.55;

  private double heightMicros;
  private double lastWindow;
  private double windowBefore;
  private int shortRounds;
  private long shortSinceMicros;
  private int climbingRounds;
  private double leastWindow;
  private double mostWindow;

  /**
   * What this connection sends, and the path under it.
   *
   * @param carriedBytesPerSecond what the path is known to carry
   * @param holdsBack whether it holds packets back, so that its queue and rate vary by themselves
   */
  record Sent(
      double cwndBytes, double bytesPerSecond, double carriedBytesPerSecond, boolean holdsBack) {
    /** Whether somebody takes a small part of what the path carries. */
    boolean isBesideSmall() {
      double part = bytesPerSecond / carriedBytesPerSecond;
      return !holdsBack && part > LEAST_BESIDE_SMALL && part < MOST_BESIDE_SMALL;
    }
  }

  /**
   * A round trip ended.
   *
   * @param queueMicros the mean queue in it
   * @param leastMicros a queue of less, or of three times as much, is no tooth
   * @return for how long the queue was short, if that completes a tooth; else 0
   */
  long onRound(double queueMicros, double leastMicros, Sent sent, long nowMicros) {
    double cwndBytes = sent.cwndBytes;
    double loweredBytes = Math.max(0, Math.max(lastWindow, windowBefore) - cwndBytes);
    windowBefore = lastWindow;
    lastWindow = cwndBytes;
    boolean small = sent.isBesideSmall();
    if (shortRounds == 0) {
      double loweredMicros = loweredBytes * 1e6 / sent.bytesPerSecond;
      watchHeight(queueMicros, leastMicros, loweredMicros, small ? EMPTIED_BY_SMALL : EMPTIED);
      shortSinceMicros = nowMicros;
      leastWindow = cwndBytes;
      mostWindow = cwndBytes;
      return 0;
    }
    leastWindow = Math.min(leastWindow, cwndBytes);
    mostWindow = Math.max(mostWindow, cwndBytes);
    boolean back = queueMicros >= BACK * heightMicros;
    if (!back && shortRounds < MOST_ROUNDS) {
      shortRounds++;
      climbingRounds = queueMicros >= CLIMBING * heightMicros ? climbingRounds + 1 : 0;
      return 0;
    }
    boolean tooth =
        back
            && shortRounds >= (small ? LEAST_ROUNDS_OF_SMALL : LEAST_ROUNDS)
            && climbingRounds >= CLIMBING_ROUNDS
            && (small || mostWindow >= WINDOW_MOVED * leastWindow);
    shortRounds = 0;
    climbingRounds = 0;
    heightMicros = queueMicros;
    return tooth ? nowMicros - shortSinceMicros : 0;
  }

  /**
   * Follows the queue's height until it empties and this connection's window does not explain it.
   */
  private void watchHeight(
      double queueMicros, double leastMicros, double loweredMicros, double emptiedPart) {
    boolean emptied = queueMicros < emptiedPart * heightMicros;
    if (emptied && heightMicros - queueMicros <= OWN_DOING * loweredMicros) {
      heightMicros = queueMicros;
    } else if (emptied && heightMicros > leastMicros && heightMicros < MOST_HEIGHT * leastMicros) {
      shortRounds = 1;
    } else {
      heightMicros = Math.max(KEPT_HEIGHT * heightMicros, queueMicros);
    }
  }

  /** The next round trip is compared with nothing. */
  void restart() {
    heightMicros = 0;
    lastWindow = 0;
    windowBefore = 0;
    shortRounds = 0;
    climbingRounds = 0;
  }
}
