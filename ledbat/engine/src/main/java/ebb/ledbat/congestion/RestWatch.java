package ebb.ledbat.congestion;

/**
 * Alone or among its own kind a scavenger comes to rest; beside a TCP neither the queue nor the
 * window does. Owns since when it has not; the verdict over one stretch of time is {@link
 * AtRest}'s.
 *
 * <p>Not thread-safe.
 */
final class RestWatch {
  /** Who does not come to rest for so long, and as many round trips, has a rival. */
  private static final long RESTLESS_MICROS = 8_000_000;

  private static final int RESTLESS_ROUND_TRIPS = 40;

  /** A queue of up to so many times its own, at rest, is one of its own kind: of ten of them. */
  private static final double REST = 3.5;

  /** ... and no less than this many times, or nothing queues. */
  private static final double LEAST_REST = 0.5;

  /** A queue at rest moves by no more than this part of itself, and a packet. */
  private static final double REST_RANGE = 0.4;

  /** A window that moves by no more than this part of itself is squeezed by nobody ... */
  private static final double WINDOW_RANGE = 0.05;

  /** ... or by this part where the path holds packets back by chance ... */
  private static final double JITTERY_WINDOW_RANGE = 0.25;

  /** ... if the queue is not more than this many times its own. */
  private static final double OWN_QUEUE = 1.5;

  /** A host is late by up to so much, which two round trips of five must hold to be passed over. */
  private static final long LATE_HOST_MICROS = 50_000;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final LinkSearch search;
  private final GrowthTrial trial;
  private final RecentMedian recentQueues = new RecentMedian();
  private final AtRest queueAtRest = new AtRest();
  private final AtRest windowAtRest = new AtRest();
  private final WindowSwing swing = new WindowSwing();
  private ScavengerMode watchedMode = ScavengerMode.RAMPING;
  private long restlessSinceMicros;

  RestWatch(ScavengerState own, LinkSearch search, GrowthTrial trial) {
    this.own = own;
    this.search = search;
    this.trial = trial;
    path = own.path;
  }

  /** A round trip with this mean queue ended. */
  void onRound(double queueMicros, long nowMicros) {
    if (own.mode != watchedMode) {
      queueAtRest.restart();
      windowAtRest.restart();
      watchedMode = own.mode;
      watchAnew(nowMicros);
    }
    boolean steering = own.isSteering();
    if (steering && !own.drain.isDraining()) {
      swing.onWindow(own.cwnd);
    }
    // One round trip in which a host was late must not hide that all others were alike.
    boolean holdsLateHost = 2 * path.queue.minRttMicros() >= LATE_HOST_MICROS;
    double usualMicros = steering && holdsLateHost ? recentQueues.add(queueMicros) : queueMicros;
    if (!own.drain.isDraining()
        && (steering || own.mode == ScavengerMode.YIELDING)
        && isAtRest(usualMicros, nowMicros)) {
      watchAnew(nowMicros);
      if (!steering && usualMicros < leastAtRestMicros()) {
        return; // Nobody of its kind has the link: whether it is free, looks will tell.
      }
      if (!steering) {
        search.comeBack("at_rest", nowMicros);
      } else if (!search.isOnProbation(nowMicros) && (path.warns() || !own.ceiling.isSet())) {
        search.onAlone(Math.min(own.ceiling.bytesPerSecond(), path.rate.maxBytesPerSecond()));
      }
      return;
    }
    long patienceMicros =
        (search.isOnProbation(nowMicros) ? RESTLESS_MICROS / 2 : RESTLESS_MICROS)
            + RESTLESS_ROUND_TRIPS * path.queue.minRttMicros();
    if (steering && nowMicros - restlessSinceMicros > patienceMicros) {
      if (swing.wentBothWays() || !path.isFar()) {
        trial.ask(nowMicros); // Late hosts, and a path that holds packets back, move both, too.
      }
      watchAnew(nowMicros);
    }
  }

  private void watchAnew(long nowMicros) {
    restlessSinceMicros = nowMicros;
    swing.restart();
  }

  private double leastAtRestMicros() {
    return (search.sawOnlyLosses() ? 1 : LEAST_REST) * path.law.aloneMicros();
  }

  private boolean isAtRest(double queueMicros, long nowMicros) {
    ScavengerLaw law = path.law;
    double packetMicros = law.wholePacketMicros();
    double part = Math.max(law.aloneMicros() / 2, REST_RANGE * queueAtRest.high());
    double range = Math.max(ScavengerPath.NOISE_MICROS, part + packetMicros);
    double most =
        own.mode == ScavengerMode.YIELDING
            ? REST * law.aloneMicros() + packetMicros
            : Double.MAX_VALUE;
    long rttMicros = path.queue.minRttMicros();
    boolean rests = queueAtRest.onRound(queueMicros, most, range, rttMicros, nowMicros);
    return windowRests(queueMicros, nowMicros) || rests;
  }

  /**
   * Hosts that are late move the queue that is seen by more than a short one, and the window hardly
   * at all. A window that a ceiling or a rival keeps small tells nothing.
   */
  private boolean windowRests(double queueMicros, long nowMicros) {
    double mostMicros = OWN_QUEUE * path.law.aloneMicros() + path.law.wholePacketMicros();
    if (!own.isSteering() || own.ceiling.isSet() || own.sendsLittle() || queueMicros > mostMicros) {
      windowAtRest.restart();
      return false;
    }
    double part = path.isJittery() ? JITTERY_WINDOW_RANGE : WINDOW_RANGE;
    double range = part * Math.max(own.cwnd, windowAtRest.high());
    return windowAtRest.onRound(
        own.cwnd, Double.MAX_VALUE, range, path.queue.minRttMicros(), nowMicros);
  }
}
