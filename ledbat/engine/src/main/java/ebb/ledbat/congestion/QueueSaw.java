package ebb.ledbat.congestion;

/**
 * Whether the queue rises and falls as a TCP's saw: it empties at once although this connection
 * sends on, stays short for several round trips, in which this connection grows, and climbs back;
 * where a host is late it leaps. Those of this kind do not do that: who stops lets the queue empty
 * for a round trip or two, and who leaves does not come back. CoDel keeps the saw of a TCP so short
 * that it is not a long queue and passes for one at rest. Owns what is remembered of the present
 * tooth.
 *
 * <p>Not thread-safe.
 */
final class QueueSaw {
  /** A longer queue, in times of the least, tells of a rival by itself, or is a newcomer's ramp. */
  private static final double MOST_HEIGHT = 3;

  /** A queue that falls below this part of its height has emptied ... */
  private static final double EMPTIED = 0.25;

  /** ... and is back when it reaches this part of it ... */
  private static final double BACK = 0.8;

  /** ... after at least so many round trips: those of this kind stop for one or two. */
  private static final int LEAST_ROUNDS = 5;

  /** ... of which the last two are above this part of it: where a host is late it leaps. */
  private static final double CLIMBING = 0.3;

  private static final int CLIMBING_ROUNDS = 2;

  /** After so many it is another queue. */
  private static final int MOST_ROUNDS = 100;

  /** So much of the height is left a round trip later. */
  private static final double KEPT_HEIGHT = 0.98;

  /** A lower window explains so many times what it takes out of the queue. */
  private static final double OWN_DOING = 2;

  /** Whose window moves by less than this is alone, and the path varies. */
  private static final double WINDOW_MOVED = 1.07;

  private double heightMicros;
  private double lastWindow;
  private double windowBefore;
  private int shortRounds;
  private int climbingRounds;
  private double leastWindow;
  private double mostWindow;

  /**
   * A round trip ended.
   *
   * @param queueMicros the mean queue in it
   * @param leastMicros a queue of less, or of three times as much, is no tooth
   * @return whether that completes a tooth
   */
  boolean onRound(double queueMicros, double leastMicros, double cwndBytes, double bytesPerSecond) {
    double loweredBytes = Math.max(0, Math.max(lastWindow, windowBefore) - cwndBytes);
    windowBefore = lastWindow;
    lastWindow = cwndBytes;
    if (shortRounds == 0) {
      watchHeight(queueMicros, leastMicros, loweredBytes * 1e6 / bytesPerSecond);
      leastWindow = cwndBytes;
      mostWindow = cwndBytes;
      return false;
    }
    leastWindow = Math.min(leastWindow, cwndBytes);
    mostWindow = Math.max(mostWindow, cwndBytes);
    boolean back = queueMicros >= BACK * heightMicros;
    if (!back && shortRounds < MOST_ROUNDS) {
      shortRounds++;
      climbingRounds = queueMicros >= CLIMBING * heightMicros ? climbingRounds + 1 : 0;
      return false;
    }
    boolean tooth =
        back
            && shortRounds >= LEAST_ROUNDS
            && climbingRounds >= CLIMBING_ROUNDS
            && mostWindow >= WINDOW_MOVED * leastWindow;
    shortRounds = 0;
    climbingRounds = 0;
    heightMicros = queueMicros;
    return tooth;
  }

  /**
   * Follows the queue's height until it empties and this connection's window does not explain it.
   */
  private void watchHeight(double queueMicros, double leastMicros, double loweredMicros) {
    boolean emptied = queueMicros < EMPTIED * heightMicros;
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
