package ebb.ledbat.congestion;

/**
 * Ebb's own controller: it keeps a queue of a few milliseconds, gives way at once to whoever does
 * not, and takes the link back as soon as it is free. docs/controllers.md explains the rules and
 * shows what they reach. Owns what happens at each acknowledgement, round trip, loss and pause, the
 * stops that let the queue empty, and the pacing rate; the window belongs to {@link QueueKeeper}
 * while the link is its own, to {@link LinkSearch} beside a rival, and to {@link LossResponse}
 * after losses.
 *
 * <p>Not thread-safe.
 */
final class ScavengerController implements CongestionController {
  static final String NAME = "scavenger";

  /** A window that grew by less than this did not make the queue grow. */
  private static final double GREW = 1.02;

  private static final double RAMP_PACING = 2;
  private static final double PACING = 1.1;

  /**
   * Next to a rival, this part of the link, or one packet in this time: enough to see it go. At 3
   * Mbit/s, the slowest link where harmlessness is promised, both are the same.
   */
  private static final double FLOOR_INTERVAL_MICROS = 400_000;

  private static final double SHORTEST_FLOOR_INTERVAL_MICROS = 20_000;
  private static final double FLOOR_PART = 0.01;

  /** A sample of minutes (a host that slept) must not stop the pacer for minutes. */
  private static final double MAX_PACING_RTT_MICROS = 1_000_000;

  /** A smaller window lets the queue empty by itself: sending is not stopped for it. */
  private static final double MIN_DRAINING_SEGMENTS = 4;

  /** The mean of fewer packets jumps about by itself, which looks like a saw ... */
  private static final double MIN_SAW_SEGMENTS = 8;

  /** ... less where nothing holds them back: who joins a TCP at 3 Mbit/s has no more. */
  private static final double MIN_STEADY_SAW_SEGMENTS = 2.5;

  /** A packet's time at half of 3 Mbit/s, which is what such a newcomer may take for the link. */
  private static final double MOST_SAW_PACKET_MICROS = 8_500;

  /** On a slow link the queue of the first growth goes and comes back as a tooth until then. */
  private static final long OWN_TOOTH_MICROS = 1_500_000;

  private static final long IDLE_MICROS = 1_000_000;
  private static final long IDLE_RESTART_MICROS = 10_000_000;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final QueueKeeper keeper;
  private final LinkSearch search;
  private final LossResponse losses;
  private final GrowthTrial trial;
  private final RestWatch rest;
  private final RoundTrip round = new RoundTrip();
  private final RouteChange route = new RouteChange();

  private boolean started;
  private double resumeBytes;
  private boolean resumed;

  ScavengerController(LedbatParameters parameters, int mssBytes) {
    own = new ScavengerState(parameters, mssBytes);
    path = own.path;
    keeper = new QueueKeeper(own);
    search = new LinkSearch(own);
    losses = new LossResponse(own, search);
    trial = new GrowthTrial(own, search);
    rest = new RestWatch(own, search, trial);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    return own.drain.isDraining() ? "draining" : own.mode.label;
  }

  @Override
  public String stateTrigger() {
    return own.trigger;
  }

  @Override
  public long cwndBytes() {
    return (long) own.cwnd;
  }

  /** What the law wants at today's rate. */
  @Override
  public long targetDelayMicros() {
    return Math.max(1, (long) path.law.wantedMicros(own.rate()));
  }

  /** Here a bound: the law never wants more. */
  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    path.law.setTargetDelayMicros(LedbatParameters.checkTargetDelay(targetDelayMicros));
  }

  @Override
  public void setMssBytes(int mssBytes) {
    own.setMssBytes(mssBytes);
    own.setWindow(started ? own.cwnd : own.initialWindowBytes());
  }

  @Override
  public void onRttSample(long rttMicros, long nowMicros) {
    path.onRtt(rttMicros, nowMicros);
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    boolean small = own.isSteering() && own.cwnd < MIN_DRAINING_SEGMENTS * own.mssBytes;
    boolean afterStop = resumed && nowMicros > own.resumedUntilMicros - path.queue.pathRttMicros();
    if (path.onDelay(oneWayDelayMicros, own.drain.isDraining(), small, afterStop, nowMicros)) {
      own.drain.onUpToSpeed(nowMicros);
    }
    long rttMicros = path.queue.latestRttMicros();
    long shorterMicros = route.onDelay(oneWayDelayMicros, nowMicros - rttMicros, own.cwnd);
    if (shorterMicros > 0 && shorterMicros < smoothedRttMicros) { // Else a clock was set.
      onShorterPath(shorterMicros, rttMicros, nowMicros);
    }
  }

  private void onShorterPath(long byMicros, long rttMicros, long nowMicros) {
    keeper.onOtherPath();
    losses.onShorterPath(nowMicros + rttMicros + byMicros);
    if (own.isSteering() && !own.drain.isDraining()) {
      // What was in flight on the longer path would be a queue on this one.
      own.setWindow(own.cwnd * rttMicros / (rttMicros + byMicros));
      own.drain.onUpToSpeed(nowMicros); // Its first packets met the queue of both paths.
      beginAnew();
    }
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    losses.onAck(ackedBytes);
    if (!path.queue.hasRtt()) {
      return; // Only packets that were sent twice came through so far.
    }
    boolean alone = own.mode == ScavengerMode.YIELDING || own.drain.isDraining();
    path.onAck(ackedBytes / (double) own.mssBytes, alone);
    path.rate.onAck(ackedBytes, own.mssBytes, smoothedRttMicros, own.isFree(), nowMicros);
    double sentBy = path.windows.at(nowMicros - path.queue.latestRttMicros(), own.cwnd);
    path.windows.note(own.cwnd, path.queue.pathRttMicros(), nowMicros);
    if (path.watchEmptiness(own.emptyMicros(), nowMicros)) {
      own.drain.onEmptySeen(nowMicros);
    }
    if (round.onAck(ackedBytes, own.cwnd, path.queueMicros(), nowMicros)) {
      endRound(nowMicros);
      round.restart();
    }
    if (!drains(nowMicros)) {
      boolean usesWindow = 2 * flightSizeBytes >= cwndBytes();
      steer(ackedBytes, sentBy, usesWindow, nowMicros);
    }
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    own.enter(ScavengerMode.STEERING, "taken_over");
    own.setWindow((double) cwndBytes);
    own.drain.onUpToSpeed(nowMicros);
  }

  /** The window, at each acknowledgement. */
  private void steer(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    if (!own.isSteering()) {
      trial.stop(nowMicros);
    }
    switch (own.mode) {
      case RAMPING -> keeper.ramp(ackedBytes, sentBy, usesWindow, nowMicros);
      case STEERING -> keepQueue(ackedBytes, sentBy, usesWindow, nowMicros);
      case YIELDING -> search.waitForLink(nowMicros);
      case PROBING -> search.probe(ackedBytes, sentBy, usesWindow, nowMicros);
      case HOLDING -> search.hold(nowMicros);
      case TESTING, PAUSING -> {} // The window stays.
    }
  }

  private void keepQueue(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    boolean mayTry =
        search.foundFree(nowMicros)
            && path.emptyRoundTrips(nowMicros) < QueueKeeper.EMPTY_ROUND_TRIPS;
    trial.onAck(ackedBytes, usesWindow, mayTry, nowMicros);
    if (trial.isUnderWay() || !own.isSteering()) {
      return;
    }
    boolean empty = keeper.keep(ackedBytes, sentBy, usesWindow, nowMicros);
    resumed &= nowMicros < own.resumedUntilMicros;
    long rttMicros = path.queue.pathRttMicros();
    boolean hair = search.isOnProbation(nowMicros);
    if (own.regrowth.explainsLosses(nowMicros)) {
      own.rivals.onOwnCut(); // It went beyond the link, and comes back from there.
    } else if (own.rivals.onWindow(
        own.cwnd, empty, path.partOfLongest(), rttMicros, hair, nowMicros)) {
      search.giveWay("squeezed", RivalSign.OTHER, nowMicros);
    }
  }

  private void endRound(long nowMicros) {
    ScavengerLaw law = path.law;
    double queueMicros = round.meanQueueMicros();
    if (law.isLong(queueMicros)) {
      own.ceiling.lift(); // The buffer is long enough to warn.
    }
    if (own.isSteering() && !own.drain.isDraining() && !trial.isUnderWay()) {
      boolean grew = own.cwnd > GREW * round.cwndBytes();
      if (own.rivals.onRound(queueMicros, grew, law.aloneMicros(), law.packetMicros())) {
        search.giveWay("growing_queue", RivalSign.LONG_QUEUE, nowMicros);
      } else if (sawShows(queueMicros, nowMicros)) {
        search.giveWay("saw", RivalSign.OTHER, nowMicros);
      }
    } else {
      own.rivals.restart();
    }
    rest.onRound(queueMicros, nowMicros);
    if (own.isSteering()) {
      search.onSteered();
    }
    boolean candidate = own.sendsLittle() && queueMicros > law.aloneMicros();
    long longerMicros = route.onRound(queueMicros, candidate, law.packetMicros(), nowMicros);
    if (longerMicros > 0) {
      keeper.onOtherPath();
      path.queue.onLongerPath(longerMicros);
      if (route.resumeBytes() > own.cwnd) {
        own.setWindow(route.resumeBytes());
        beginAnew();
      }
      own.drain.onUpToSpeed(nowMicros);
      if (own.mode == ScavengerMode.YIELDING) {
        own.enter(ScavengerMode.STEERING, "longer_path");
      }
    }
    law.onRound();
    losses.onRound(round, nowMicros);
  }

  /** A test of its kind after a random loss leaves room as a TCP does. */
  private boolean sawShows(double queueMicros, long nowMicros) {
    // Of one tooth a path that holds packets back must not be the cause.
    boolean hair =
        search.isOnProbation(nowMicros) || (search.isWary(nowMicros) && !path.holdsBack());
    boolean varies = path.holdsBack() || path.law.wholePacketMicros() > MOST_SAW_PACKET_MICROS;
    double segments = varies ? MIN_SAW_SEGMENTS : MIN_STEADY_SAW_SEGMENTS;
    boolean maybeOwn = path.law.isSlow() && nowMicros < own.rampedMicros + OWN_TOOTH_MICROS;
    return !maybeOwn
        && !own.losses.isLossy()
        && own.cwnd >= segments * own.mssBytes
        && own.rivals.onRoundOfSaw(
            queueMicros, path.law.toothMicros(), own.cwnd, own.rate(), hair, nowMicros);
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    if (!losses.onLoss(lostBytes, nowMicros)) {
      return;
    }
    trial.onLoss(nowMicros);
    if (!own.losses.isLossy()) {
      search.onLoss(nowMicros);
    }
    if (own.isSteering()
        && !own.regrowth.explainsLosses(nowMicros)
        && own.rivals.onLoss(
            (double) path.queueMicros(), path.law.aloneMicros(), own.losses.isLossy())) {
      search.giveWay("full_queue", RivalSign.LONG_QUEUE, nowMicros);
    }
  }

  @Override
  public void onLateLoss(long lostBytes, long nowMicros) {
    losses.onLoss(lostBytes, nowMicros);
  }

  /** A round trip that is over has been judged; its window comes back by itself. */
  @Override
  public void onSpuriousLoss(long lostBytes, long nowMicros) {
    losses.onSpurious(lostBytes, nowMicros);
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    started = true;
    if (own.mode == ScavengerMode.RAMPING || own.isSteering()) {
      search.giveWay("timeout", RivalSign.OTHER, nowMicros);
    } else {
      search.leave("timeout");
    }
    trial.stop(nowMicros);
    path.interrupt();
  }

  // ---- stops that let the queue empty, idleness

  /** Whether this connection is stopped to let the queue empty; begins and ends that. */
  private boolean drains(long nowMicros) {
    QueueDrain drain = own.drain;
    if (!drain.isDraining()) {
      if (!own.isSteering()
          || trial.isUnderWay()
          || own.regrowth.explainsLosses(nowMicros) // What overshot is no window to come back to.
          || own.cwnd < MIN_DRAINING_SEGMENTS * own.mssBytes
          || !drain.isDue(nowMicros)) {
        return false;
      }
      resumeBytes = own.cwnd;
      own.trigger = "due";
      drain.begin(path.queue, nowMicros);
    }
    if (!drain.endsNow(path.queue, nowMicros)) {
      own.cwnd = 2.0 * own.mssBytes;
      return true;
    }
    own.cwnd = Math.max(own.cwnd, resumeBytes);
    own.resumedUntilMicros = nowMicros + 2 * path.queue.pathRttMicros();
    resumed = true;
    own.trigger = "queue_empty";
    beginAnew();
    return true;
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    if (idleMicros < IDLE_MICROS) {
      return; // At the floor every packet goes alone.
    }
    trial.stop(nowMicros);
    beginAnew();
    if (idleMicros > IDLE_RESTART_MICROS) {
      own.cwnd = Math.min(own.cwnd, own.initialWindowBytes());
      own.enter(ScavengerMode.RAMPING, "idle");
    }
  }

  /** Little was sent for a while: what comes next is compared with nothing. */
  private void beginAnew() {
    path.interrupt();
    path.forgetEmptiness();
    own.rivals.restart();
    round.restart();
  }

  // ---- what others read

  /** Over the round trip of today's queue: the smoothed one remembers a rival's for long. */
  @Override
  public long pacingRateBytesPerSecond() {
    if (!path.queue.hasRtt()) {
      return 0;
    }
    double rttMicros =
        Math.max(1.0, Math.min((double) path.queue.pathRttMicros(), MAX_PACING_RTT_MICROS));
    if (own.mode == ScavengerMode.YIELDING) {
      double floor = own.mssBytes * 1e6 / Math.max(rttMicros, floorIntervalMicros());
      return (long) Math.max(floor, search.creepingBytesPerSecond());
    }
    double rate = (resumed ? 1 : PACING) * own.cwnd * 1e6 / rttMicros;
    double burst = RAMP_PACING * own.cwnd * 1e6 / rttMicros;
    if (own.mode == ScavengerMode.RAMPING) {
      rate = burst;
    } else if (search.isProbingLow()) {
      rate = search.doublingBytesPerSecond(burst, rate);
    }
    return Math.max(1, (long) rate);
  }

  private double floorIntervalMicros() {
    double rate = FLOOR_PART * path.rate.maxBytesPerSecond();
    double interval = rate == 0 ? FLOOR_INTERVAL_MICROS : own.mssBytes * 1e6 / rate;
    return Math.min(FLOOR_INTERVAL_MICROS, Math.max(SHORTEST_FLOOR_INTERVAL_MICROS, interval));
  }

  @Override
  public long currentDelayMicros() {
    return path.queue.currentDelayMicros();
  }

  @Override
  public long baseDelayMicros() {
    return path.queue.baseDelayMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return path.queueMicros();
  }
}
