package ebb.ledbat.congestion;

/**
 * The window of a scavenger that has the link, or shares it with its kind: it grows until a queue
 * shows, keeps the law's queue, and takes quickly what others leave. Owns how fast the window
 * moves; how much queue is wanted say {@link ScavengerLaw} and {@link SteadyQueue}.
 *
 * <p>Not thread-safe.
 */
final class QueueKeeper {
  /** ... but above half the rate that the path is known to carry, growth is no faster than this. */
  static final double BOOST_NEAR_RATE = 0.25;

  /** Part of the way to the law's window that a round trip's acknowledgements go up. */
  private static final double UP_GAIN = 0.4;

  /**
   * The queue was empty for two round trips, longer than when one of its kind stops: growth begins
   * with 1/8 of the window in the next, and doubles.
   */
  static final double EMPTY_ROUND_TRIPS = 2;

  private static final double BOOST_START = 1.0 / 16;

  /** Near means more than this part of the rate that is known. */
  private static final double NEAR_PART = 0.85;

  /** A queue of its own growth that is too long: an active queue drops from 5 ms on. */
  private static final long OVERSHOT_MICROS = 40_000;

  static final double BOOST_AT_RATE = 0.1;

  /** A queue of this part of a round trip is a rival's that leaves little when it loses. */
  private static final double RIVALS_ROUND_TRIPS = 0.2;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final SteadyQueue steady = new SteadyQueue();

  QueueKeeper(ScavengerState own) {
    this.own = own;
    path = own.path;
  }

  /**
   * Data was acknowledged while the window grows for the first time.
   *
   * @param sentBy the window that the acknowledgement tells of
   * @param usesWindow whether the connection sends as much as it may
   */
  void ramp(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    ScavengerLaw law = path.law;
    double wantedMicros = law.wantedMicros(path.rateOf(sentBy));
    double seenMicros = ScavengerPath.EMPTY_MICROS + Math.min(wantedMicros, law.aloneMicros()) / 2;
    if (path.queueMicros() <= seenMicros) {
      own.cwnd += usesWindow ? ackedBytes : 0;
      return;
    }
    own.enter(ScavengerMode.STEERING, "queue");
    own.rampedMicros = nowMicros;
    path.forgetEmptiness();
    own.cwnd = Math.max(Math.min(own.cwnd, goal(sentBy, wantedMicros)), 2.0 * own.mssBytes);
    own.drain.onUpToSpeed(nowMicros);
  }

  /**
   * Data was acknowledged while the law's queue is kept.
   *
   * @return whether nothing has waited for so long that the link is free
   */
  boolean keep(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    double rate = path.rateOf(sentBy);
    double wantedMicros =
        steady.wantedMicros(
            path.law.wantedMicros(rate),
            (double) path.queueMicros(),
            own.emptyMicros(),
            path.queue.minRttMicros(),
            nowMicros);
    double goal = goal(sentBy, wantedMicros);
    double boost = boost(rate, nowMicros);
    double cwnd = own.cwnd;
    double change;
    if (goal >= cwnd || boost > 0) {
      change = usesWindow ? Math.max(UP_GAIN * (goal - cwnd) / cwnd, boost) : 0;
    } else {
      change = (goal - cwnd) / cwnd;
    }
    change = Math.max(-1, Math.min(1, change));
    double most = Math.max(path.windowOf(own.ceiling.bytesPerSecond()), cwnd);
    own.setWindow(Math.min(cwnd + change * ackedBytes, most));
    return path.emptyRoundTrips(nowMicros) >= EMPTY_ROUND_TRIPS;
  }

  /** The path became longer or shorter. */
  void onOtherPath() {
    steady.restart();
  }

  /** The window that would have made the queue as wanted: bytes in the queue, more or less. */
  private double goal(double sentBy, double wantedMicros) {
    return sentBy + path.rateOf(sentBy) * (wantedMicros - path.queueMicros()) / 1e6;
  }

  /** Growth per round trip because nothing waits: the link is free. */
  private double boost(double rate, long nowMicros) {
    double rounds = path.emptyRoundTrips(nowMicros);
    if (rounds == 0) {
      own.regrowth.freeFrom(own.cwnd);
    }
    if (rounds == 0 && path.queueMicros() > path.law.wantedMicros(rate) / 2) {
      own.regrowth.onFull(path.queue.latestRttMicros(), nowMicros);
    }
    if (rounds < EMPTY_ROUND_TRIPS || nowMicros < own.resumedUntilMicros) {
      return 0;
    }
    if (foundRivalGone()) {
      own.regrowth.begin();
    }
    return Math.min(most(rate), BOOST_START * StrictMath.pow(2, Math.min(rounds - 1, 8)));
  }

  /**
   * Whether a rival's long queue was seen lately, and the window has doubled since something
   * waited, so that no rival takes back what it left. Chance and jitter hide one that does.
   */
  private boolean foundRivalGone() {
    return path.isFar()
        && path.holdsMany()
        && path.recentRoundTrips() > RIVALS_ROUND_TRIPS
        && own.regrowth.grewFreely(own.cwnd)
        && !own.losses.isLossy()
        && !path.isJittery();
  }

  /** The most growth per round trip at this rate, beside what the path is known to carry. */
  private double most(double rate) {
    double known = path.rate.maxBytesPerSecond();
    if (rate <= 0.5 * known) {
      return 1;
    }
    if (own.regrowth.isUnderWay()) {
      return own.regrowth.most(own.cwnd, path.queue.minRttMicros(), path.longestMicros());
    }
    double reached = overshoots() ? Math.max(rate, own.rate()) : rate;
    if (reached <= NEAR_PART * known) {
      return BOOST_NEAR_RATE;
    }
    // What goes beyond the rate during the round trip until it shows must not be a long queue.
    double patient = 2 * path.law.wantedMicros(rate) / path.queue.minRttMicros();
    return Math.min(BOOST_NEAR_RATE, Math.max(BOOST_AT_RATE, patient));
  }

  /**
   * Whether growth is to end by the window of now, not by that of a round trip ago, of which the
   * acknowledgements tell: so far away that would make a long queue. Not where the buffer is too
   * short for the slower growth, too, nor where chance takes what was grown.
   */
  private boolean overshoots() {
    return !own.losses.isLossy()
        && BOOST_NEAR_RATE * path.queue.minRttMicros() > OVERSHOT_MICROS
        && path.longestRoundTrips() > BOOST_AT_RATE / 2;
  }
}
