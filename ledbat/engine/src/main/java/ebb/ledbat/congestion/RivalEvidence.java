package ebb.ledbat.congestion;

/**
 * What a rival does to the queue that this connection and its kind do not: it lets the queue grow
 * although this connection does not, it fills it until packets are lost, it squeezes this
 * connection for a while and then suddenly leaves room, or its saw shows in the queue. Owns what is
 * remembered for that verdict; what follows from it is the controller's.
 *
 * <p>Sharing with others of its own kind is no rivalry: n of them make a queue of sqrt(n) times
 * what one makes, so that only a multiple of that counts, and they come to rest.
 *
 * <p>Not thread-safe.
 */
final class RivalEvidence {
  /** A queue of so many times what one connection makes alone, more than ten of its kind make. */
  private static final double HIGH_QUEUE = 3;

  /** ... and of this much, for a newcomer of its kind raises a queue for a moment. */
  private static final long HIGH_QUEUE_MICROS = 20_000;

  /** What is lost from such a queue was lost because it was full. */
  private static final double FULL_QUEUE = 1.5;

  private static final int GROWING_ROUNDS = 6;
  private static final long GROWTH_MICROS = 1_000;
  private static final long NOISE_MICROS = 50;

  /** Who has to give up this part of its window is squeezed ... */
  private static final double SQUEEZED = 0.9;

  /** ... by a TCP if the buffer was full: of the longest queue of late so much waited. */
  private static final double FILLED = 0.8;

  /** ... and who then finds this much more was given room. */
  private static final double GIVEN_ROOM = 1.1;

  /** ... for longer than this was not given it by one of its kind that stopped for a moment. */
  private static final double ROOM_ROUND_TRIPS = 0.75;

  /** So many times within this time: a TCP's sawtooth. */
  private static final int CYCLES = 3;

  /** A burst that was lost from nowhere says more than a cycle of the queue. */
  private static final int BURST_CYCLES = 2;

  private static final long CYCLES_WITHIN_MICROS = 20_000_000;

  private final QueueSaw saw = new QueueSaw();

  private int roundsSinceGrowth;
  private double lastQueueMicros = -1;
  private int growingRounds;
  private double growthFromMicros;

  private double peakBytes;
  private double mostPart;
  private double emptyFromBytes = -1;
  private long emptyFromMicros;
  private boolean squeezed;
  private int cycles;
  private long firstCycleMicros;

  /**
   * A round trip ended.
   *
   * @param queueMicros the mean queue in it
   * @param grew whether this connection raised its window in it
   * @param aloneQueueMicros the queue that it would make alone
   * @param packetMicros what one packet takes on the link
   * @return whether that shows a rival
   */
  boolean onRound(double queueMicros, boolean grew, double aloneQueueMicros, double packetMicros) {
    roundsSinceGrowth = grew ? 0 : roundsSinceGrowth + 1;
    boolean fell = queueMicros <= lastQueueMicros - NOISE_MICROS;
    boolean rival = false;
    if (lastQueueMicros < 0 || grew || fell) {
      growingRounds = 0;
    } else {
      if (growingRounds++ == 0) {
        growthFromMicros = lastQueueMicros;
      }
      double grownMicros = queueMicros - growthFromMicros;
      rival =
          growingRounds >= GROWING_ROUNDS
              && grownMicros > Math.max(GROWTH_MICROS, packetMicros)
              && queueMicros > highMicros(aloneQueueMicros);
    }
    lastQueueMicros = queueMicros;
    return rival;
  }

  /**
   * A round trip ended, for the saw of a queue too short to grow for long.
   *
   * @param queueMicros the mean queue in it
   * @param leastMicros a queue of less, or of three times as much, is no tooth
   * @param hair whether once is enough
   * @return whether that completes a rival's sawtooth
   */
  boolean onRoundOfSaw(
      double queueMicros,
      double leastMicros,
      double cwndBytes,
      double bytesPerSecond,
      boolean hair,
      long nowMicros) {
    return saw.onRound(queueMicros, leastMicros, cwndBytes, bytesPerSecond)
        && countCycles(1, hair, nowMicros);
  }

  private static double highMicros(double aloneQueueMicros) {
    return Math.max(HIGH_QUEUE_MICROS, HIGH_QUEUE * aloneQueueMicros);
  }

  /**
   * The window and whether nothing has waited for a while, at each acknowledgement.
   *
   * @param queuePart what part waits now of the longest queue of late
   * @param rttMicros the path's, with today's queue
   * @param hair whether once is enough
   * @return whether that completes a rival's sawtooth
   */
  boolean onWindow(
      double cwndBytes,
      boolean empty,
      double queuePart,
      long rttMicros,
      boolean hair,
      long nowMicros) {
    if (!empty) {
      boolean given =
          emptyFromBytes > 0
              && cwndBytes >= GIVEN_ROOM * emptyFromBytes
              && nowMicros - emptyFromMicros > ROOM_ROUND_TRIPS * rttMicros;
      boolean cycle = squeezed && given && mostPart >= FILLED;
      if (emptyFromBytes > 0) {
        forgetSqueeze();
      }
      mostPart = Math.max(mostPart, queuePart);
      peakBytes = Math.max(peakBytes, cwndBytes);
      squeezed |= cwndBytes < SQUEEZED * peakBytes;
      return cycle && countCycles(1, hair, nowMicros);
    }
    if (emptyFromBytes < 0) {
      emptyFromBytes = cwndBytes;
      emptyFromMicros = nowMicros;
    }
    return false;
  }

  private boolean countCycles(int more, boolean hair, long nowMicros) {
    if (cycles == 0 || nowMicros - firstCycleMicros > CYCLES_WITHIN_MICROS) {
      cycles = 0;
      firstCycleMicros = nowMicros;
    }
    cycles += more;
    if (cycles < CYCLES && !hair) {
      return false;
    }
    cycles = 0;
    return true;
  }

  /**
   * Data was lost while this much waited: a full queue is nothing that this connection makes,
   * unless it has just been growing. Full for a moment is not full: two of this kind that come back
   * from a stop may meet in a small buffer.
   *
   * @param lossy whether the path loses some by itself, also while its own growth still waits
   * @return whether it was a rival's doing
   */
  boolean onLoss(double queueMicros, double aloneQueueMicros, boolean lossy) {
    double fullMicros = FULL_QUEUE * aloneQueueMicros;
    boolean steady = lossy ? isSteady() : roundsSinceGrowth >= 1;
    return steady && queueMicros > fullMicros && lastQueueMicros > fullMicros;
  }

  /**
   * A burst was lost that is not this connection's own doing.
   *
   * @param hair whether once is enough
   * @return whether that shows a rival: two of late do, or one and a cycle
   */
  boolean onBurst(boolean hair, long nowMicros) {
    return countCycles(BURST_CYCLES, hair, nowMicros);
  }

  /** Whether this connection did not grow in the last two round trips. */
  boolean isSteady() {
    return roundsSinceGrowth >= 2;
  }

  /** This connection lowered its window itself, for a loss. */
  void onOwnCut() {
    forgetSqueeze();
  }

  private void forgetSqueeze() {
    emptyFromBytes = -1;
    squeezed = false;
    peakBytes = 0;
    mostPart = 0;
  }

  /** The next round is compared with nothing. */
  void restart() {
    saw.restart();
    lastQueueMicros = -1;
    growingRounds = 0;
    roundsSinceGrowth = 0;
    forgetSqueeze();
  }
}
