package ebb.ledbat.congestion;

/**
 * Tells whether somebody who does not yield shares the queue: it keeps growing although this
 * connection does not, or it is full. Owns that verdict, which fades, or ends as soon as this
 * connection carries more than a rival would leave, or has had the same for long; and another one:
 * a "queue" that never moves while this connection sends next to nothing is a longer path.
 *
 * <p>Sharing with others of its own kind is no rivalry: n of them make a queue of sqrt(n) times
 * what one makes, so that only a multiple of that counts.
 *
 * <p>Not thread-safe.
 */
final class RivalDetector {
  /** A queue of so many times what one connection makes alone. */
  private static final double HIGH_QUEUE = 2;

  /** ... or of this much, whatever that is; slow connections make long queues. */
  private static final long HIGH_QUEUE_MICROS = 20_000;

  /** What is lost from such a queue was lost because it was full. */
  private static final double FULL_QUEUE = 1.5;

  private static final int GROWING_ROUNDS = 3;
  private static final long GROWTH_MICROS = 1_000;
  private static final long NOISE_MICROS = 50;

  /** The verdict holds for this long after the last evidence, then fades. */
  private static final long HOLD_MICROS = 6_000_000;

  private static final long FADE_MICROS = 2_000_000;

  /** A loss alone, of which a newcomer's start may be the cause, counts as evidence of this age. */
  private static final long LOSS_AGE_MICROS = 4_000_000;

  /** A verdict dropped and back within this time was dropped too early. */
  private static final long REFUTED_MICROS = 10_000_000;

  private static final double MORE_THAN_WRONG = 1.25;
  private static final long QUIET_AGAIN_MICROS = 30_000_000;

  private static final long FLAT_MICROS = 5_000_000;
  private static final int FLAT_ROUNDS = 8;

  private boolean known;
  private long evidenceMicros;

  /** The rate at which the verdict was last dropped, and when. */
  private double dismissedAtBytesPerSecond;

  private long dismissedMicros = -REFUTED_MICROS;

  /** The highest rate at which that was wrong. */
  private double wrongAtBytesPerSecond;

  private long quietMicros = -QUIET_AGAIN_MICROS;

  private int roundsSinceGrowth;
  private double lastQueueMicros = -1;
  private int growingRounds;
  private double growthFromMicros;

  private int flatRounds;
  private long flatSinceMicros;
  private double flatLowMicros;
  private double flatHighMicros;

  /**
   * A round trip ended.
   *
   * @param queueMicros the mean queue in it
   * @param grew whether this connection raised its window in it
   * @param sendsLittle whether this connection sends next to nothing
   * @param aloneQueueMicros the queue that it would make alone
   * @param packetMicros what one packet takes on the link
   */
  void onRound(
      double queueMicros,
      boolean grew,
      boolean sendsLittle,
      double aloneQueueMicros,
      double packetMicros,
      long nowMicros) {
    roundsSinceGrowth = grew ? 0 : roundsSinceGrowth + 1;
    boolean fell = queueMicros <= lastQueueMicros - NOISE_MICROS;
    if (lastQueueMicros < 0 || grew || fell) {
      growingRounds = 0;
    } else {
      if (growingRounds++ == 0) {
        growthFromMicros = lastQueueMicros;
      }
      double grownMicros = queueMicros - growthFromMicros;
      if (growingRounds >= GROWING_ROUNDS
          && grownMicros > Math.max(GROWTH_MICROS, packetMicros)
          && queueMicros > highMicros(aloneQueueMicros)) {
        suspect(nowMicros, nowMicros);
      }
    }
    lastQueueMicros = queueMicros;
    watchFlatness(
        queueMicros, sendsLittle && queueMicros > aloneQueueMicros, packetMicros, nowMicros);
  }

  private void watchFlatness(
      double queueMicros, boolean candidate, double packetMicros, long nowMicros) {
    double low = flatRounds == 0 ? queueMicros : Math.min(flatLowMicros, queueMicros);
    double high = flatRounds == 0 ? queueMicros : Math.max(flatHighMicros, queueMicros);
    double slackMicros = Math.max(GROWTH_MICROS, packetMicros);
    if (!candidate || high - low > slackMicros) {
      flatRounds = 0;
      return;
    }
    if (flatRounds++ == 0) {
      flatSinceMicros = nowMicros;
    }
    flatLowMicros = low;
    flatHighMicros = high;
  }

  /** By how much the path became longer, 0 if it did not. Answers once. */
  long takeLongerPathMicros(long nowMicros) {
    if (flatRounds < FLAT_ROUNDS || nowMicros - flatSinceMicros < FLAT_MICROS) {
      return 0;
    }
    flatRounds = 0;
    known = false;
    return (long) flatLowMicros;
  }

  /**
   * Data was lost while this much waited: a full queue is nothing that this connection makes,
   * unless it has just been growing. Full for a moment is not full: two of this kind that come back
   * from a stop may meet in a small buffer.
   *
   * @return whether it was a rival's doing
   */
  boolean onLoss(double queueMicros, double aloneQueueMicros, long nowMicros) {
    double fullMicros = FULL_QUEUE * aloneQueueMicros;
    boolean rival =
        roundsSinceGrowth >= 1 && queueMicros > fullMicros && lastQueueMicros > fullMicros;
    if (rival) {
      suspect(nowMicros - LOSS_AGE_MICROS, nowMicros);
    }
    return rival;
  }

  private static double highMicros(double aloneQueueMicros) {
    return Math.min(HIGH_QUEUE_MICROS, HIGH_QUEUE * aloneQueueMicros);
  }

  /**
   * This much was carried without a queue, more than anyone leaves who does not yield: nobody is
   * there. A short buffer may leave as much after every loss; the verdict that comes back soon
   * shows it, and then only more than that counts.
   *
   * @param measuredSinceMicros when the measurement of that rate began
   */
  void onMuchLeft(double bytesPerSecond, long measuredSinceMicros, long nowMicros) {
    boolean sinceThen = measuredSinceMicros >= evidenceMicros;
    if (known && sinceThen && bytesPerSecond > MORE_THAN_WRONG * wrongAtBytesPerSecond) {
      known = false;
      dismissedAtBytesPerSecond = bytesPerSecond;
      dismissedMicros = nowMicros;
    }
  }

  /**
   * This connection has carried the same for a while on a queue that nobody filled: nobody is
   * there. Should that be wrong, it will not be wrong again soon.
   *
   * @return whether that ended the verdict
   */
  boolean onQuiet(long nowMicros) {
    if (!known || nowMicros - quietMicros < QUIET_AGAIN_MICROS) {
      return false;
    }
    known = false;
    quietMicros = nowMicros;
    return true;
  }

  private void suspect(long since, long nowMicros) {
    if (!known) {
      boolean refuted = nowMicros - dismissedMicros < REFUTED_MICROS;
      wrongAtBytesPerSecond =
          refuted ? Math.max(wrongAtBytesPerSecond, dismissedAtBytesPerSecond) : 0;
    }
    evidenceMicros = known ? Math.max(evidenceMicros, since) : since;
    known = true;
  }

  /** The next round is compared with nothing. */
  void restart() {
    lastQueueMicros = -1;
    growingRounds = 0;
    roundsSinceGrowth = 0;
  }

  /** 1 while a rival is there, falling to 0 as the evidence ages. */
  double rivalry(long nowMicros) {
    if (!known) {
      return 0;
    }
    double faded = (nowMicros - evidenceMicros - HOLD_MICROS) / (double) FADE_MICROS;
    return Math.min(1, Math.max(0, 1 - faded));
  }
}
