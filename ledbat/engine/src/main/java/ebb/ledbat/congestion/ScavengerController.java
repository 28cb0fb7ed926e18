package ebb.ledbat.congestion;

/**
 * Ebb's own controller: it keeps a queue of a few milliseconds, gives way at once to whoever does
 * not, and takes the link back as soon as it is free. docs/controllers.md explains the rules and
 * shows what they reach. Owns cwnd and the pacing rate of one connection, and what leads from one
 * {@link ScavengerMode} to another; how much queue is wanted says {@link ScavengerLaw}, what shows
 * a rival {@link RivalEvidence}, and what shows that it is gone {@link Probes}.
 *
 * <p>Not thread-safe.
 */
final class ScavengerController implements CongestionController {
  static final String NAME = "scavenger";

  /** This part of what the path is known to carry is next to nothing. */
  private static final double LITTLE = 0.125;

  /** Part of the way to the law's window that a round trip's acknowledgements go up. */
  private static final double UP_GAIN = 0.4;

  /** Less queue than this is none. */
  private static final double EMPTY_MICROS = 300;

  /** Packets that come alone wake hosts, which takes this long. */
  private static final double NOISE_MICROS = 1_000;

  /**
   * The queue was empty for two round trips, longer than when one of its kind stops: growth begins
   * with 1/8 of the window in the next, and doubles.
   */
  private static final double EMPTY_ROUND_TRIPS = 2;

  private static final double BOOST_START = 1.0 / 16;

  /** ... but above half the rate that the path is known to carry, no faster than this. */
  private static final double BOOST_NEAR_RATE = 0.25;

  private static final double BOOST_AT_RATE = 0.1;

  /** A window that grew by less than this did not make the queue grow. */
  private static final double GREW = 1.02;

  private static final double RAMP_PACING = 2;
  private static final double PACING = 1.1;

  /** Next to a rival, one packet in this time, or this part of the link: enough to see it go. */
  private static final double FLOOR_INTERVAL_MICROS = 100_000;

  private static final double SHORTEST_FLOOR_INTERVAL_MICROS = 20_000;
  private static final double FLOOR_PART = 0.01;

  /** A sample of minutes (a host that slept) must not stop the pacer for minutes. */
  private static final double MAX_PACING_RTT_MICROS = 1_000_000;

  private static final int INITIAL_SEGMENTS = 3;

  /** A smaller window lets the queue empty by itself: sending is not stopped for it. */
  private static final double MIN_DRAINING_SEGMENTS = 4;

  private static final long NOISE_GAP_MICROS = 1_000_000;

  /** A probe begins with this part of what it is to reach. */
  private static final double PROBE_START = 1.0 / 16;

  /** What several probes ended at is held a little below. */
  private static final double HELD_PART = 0.8;

  private static final long HOLD_MICROS = 600_000;
  private static final int HOLD_ROUND_TRIPS = 8;
  private static final int HOLD_SETTLING_ROUND_TRIPS = 3;
  private static final int PAUSE_ROUNDS = 8;

  /** Once it seemed gone, a rival that shows again within this time was there all along. */
  private static final long PROBATION_MICROS = 20_000_000;

  /** Who does not come to rest for so long, and as many round trips, has a rival. */
  private static final long RESTLESS_MICROS = 8_000_000;

  private static final int RESTLESS_ROUND_TRIPS = 40;

  /** A queue of up to so many times its own, at rest, is one of its own kind: of ten of them. */
  private static final double REST = 3.5;

  /** A queue at rest moves by no more than this part of itself, and a packet. */
  private static final double REST_RANGE = 0.4;

  /** So much of a round trip's packets lost at once, or two of them, are a burst. */
  private static final double BURST_SHARE = 0.1;

  private static final int BURST_PACKETS = 2;
  private static final double TEST_CUT = 0.7;
  private static final double BURST_CUT = 0.9;
  private static final double LEAST_LOSS_CUT = 0.15;
  private static final double MOST_LOSS_CUT = 0.5;

  private static final long IDLE_MICROS = 1_000_000;
  private static final long IDLE_RESTART_MICROS = 10_000_000;
  private static final long NEVER = Long.MIN_VALUE;

  private final QueueEstimate queue = new QueueEstimate();
  private final DelayNoise noise = new DelayNoise();
  private final WindowHistory windows = new WindowHistory();
  private final PathRate pathRate = new PathRate();
  private final ScavengerLaw law;
  private final QueueDrain drain = new QueueDrain();
  private final RoundTrip round = new RoundTrip();
  private final RivalEvidence rivals = new RivalEvidence();
  private final AtRest atRest = new AtRest();
  private final Probes probes = new Probes();
  private final LongerPath longerPath = new LongerPath();
  private final LossJudge losses = new LossJudge();
  private final LossTest lossTest = new LossTest();
  private final RateCeiling ceiling = new RateCeiling();

  private int mssBytes;
  private double cwnd;
  private boolean started;
  private ScavengerMode mode = ScavengerMode.RAMPING;
  private long emptySinceMicros = NEVER;

  private double resumeBytes;
  private long resumedUntilMicros = NEVER;
  private boolean resumed;
  private long noiseMicros;

  private long probationUntilMicros = NEVER;
  private double carriedBytesPerSecond;
  private ScavengerMode restMode = ScavengerMode.RAMPING;
  private long restlessSinceMicros;

  private double probedBytesPerSecond;
  private boolean probeLost;
  private int pauseRounds;
  private long holdFromMicros;
  private long holdUntilMicros;

  private double highRate;
  private long lowSinceMicros;

  ScavengerController(LedbatParameters parameters, int mssBytes) {
    this.mssBytes = mssBytes;
    law = new ScavengerLaw(pathRate, parameters.targetDelayMicros(), mssBytes);
    cwnd = initialWindowBytes();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    return drain.isDraining() ? "draining" : mode.label;
  }

  @Override
  public long cwndBytes() {
    return (long) cwnd;
  }

  /** What the law wants at today's rate. */
  @Override
  public long targetDelayMicros() {
    return Math.max(1, (long) law.wantedMicros(rateOf(cwnd)));
  }

  /** Here a bound: the law never wants more. */
  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    law.setTargetDelayMicros(LedbatParameters.checkTargetDelay(targetDelayMicros));
  }

  @Override
  public void setMssBytes(int mssBytes) {
    this.mssBytes = mssBytes;
    law.setMssBytes(mssBytes);
    if (!started) {
      cwnd = initialWindowBytes();
    }
    setWindow(cwnd);
  }

  @Override
  public void onRttSample(long rttMicros, long nowMicros) {
    queue.onRtt(rttMicros, nowMicros);
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    queue.onDelay(oneWayDelayMicros, nowMicros);
    boolean longAgo = nowMicros - noiseMicros > NOISE_GAP_MICROS;
    boolean small = mode == ScavengerMode.STEERING && cwnd < MIN_DRAINING_SEGMENTS * mssBytes;
    noise.onDelay(oneWayDelayMicros, drain.isDraining() || (small && longAgo), law.packetMicros());
    if (drain.isDraining() || longAgo) {
      noiseMicros = nowMicros;
    }
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    losses.onAck(ackedBytes / (double) mssBytes);
    if (!queue.hasRtt()) {
      return; // Only packets that were sent twice came through so far.
    }
    pathRate.onAck(ackedBytes, mssBytes, smoothedRttMicros, isFree(), nowMicros);
    double sentBy = windows.at(nowMicros - queue.latestRttMicros(), cwnd);
    windows.note(cwnd, queue.pathRttMicros(), nowMicros);
    watchEmptiness(nowMicros);
    if (round.onAck(ackedBytes, cwnd, queueMicros(), nowMicros)) {
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
    mode = ScavengerMode.STEERING;
    setWindow((double) cwndBytes);
    drain.onUpToSpeed(nowMicros);
  }

  private void setWindow(double bytes) {
    cwnd = Math.max(bytes, mssBytes);
  }

  /** How long a packet waits, beyond what the path itself varies. */
  private long queueMicros() {
    return Math.max(0, queue.queueMicros() - noise.micros());
  }

  private double rateOf(double windowBytes) {
    return windowBytes * 1e6 / queue.pathRttMicros();
  }

  private double windowOf(double bytesPerSecond) {
    return bytesPerSecond * queue.pathRttMicros() / 1e6;
  }

  /** Whether nobody else holds this connection below what the path carries. */
  private boolean isFree() {
    return mode == ScavengerMode.STEERING && queueMicros() < 2 * law.aloneMicros();
  }

  /** Whether this connection's part of the queue is too small to be seen in it. */
  private boolean sendsLittle() {
    return cwnd <= 2.0 * mssBytes || rateOf(cwnd) < LITTLE * pathRate.maxBytesPerSecond();
  }

  private double emptyMicros() {
    return law.emptyMicros(sendsLittle() ? NOISE_MICROS : EMPTY_MICROS);
  }

  private void watchEmptiness(long nowMicros) {
    if (queueMicros() > emptyMicros()) {
      emptySinceMicros = NEVER;
      return;
    }
    if (emptySinceMicros == NEVER) {
      emptySinceMicros = nowMicros;
    }
    if (nowMicros - emptySinceMicros > queue.pathRttMicros()) {
      drain.onEmptySeen(nowMicros);
    }
  }

  /** For how many round trips nothing has waited. */
  private double emptyRoundTrips(long nowMicros) {
    return emptySinceMicros == NEVER
        ? 0
        : (nowMicros - emptySinceMicros) / (double) queue.pathRttMicros();
  }

  // ---- the window, at each acknowledgement

  private void steer(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    switch (mode) {
      case RAMPING -> ramp(ackedBytes, sentBy, usesWindow, nowMicros);
      case STEERING -> keepQueue(ackedBytes, sentBy, usesWindow, nowMicros);
      case YIELDING -> waitForLink(nowMicros);
      case PROBING -> probe(ackedBytes, sentBy, usesWindow, nowMicros);
      case HOLDING -> hold(nowMicros);
      case TESTING, PAUSING -> {} // The window stays.
    }
  }

  private void ramp(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    double wantedMicros = law.wantedMicros(rateOf(sentBy));
    if (queueMicros() <= EMPTY_MICROS + Math.min(wantedMicros, law.aloneMicros()) / 2) {
      cwnd += usesWindow ? ackedBytes : 0;
      return;
    }
    mode = ScavengerMode.STEERING;
    emptySinceMicros = NEVER;
    cwnd = Math.max(Math.min(cwnd, goal(sentBy, wantedMicros)), 2.0 * mssBytes);
    drain.onUpToSpeed(nowMicros);
  }

  /** The window that would have made the queue as wanted: bytes in the queue, more or less. */
  private double goal(double sentBy, double wantedMicros) {
    return sentBy + rateOf(sentBy) * (wantedMicros - queueMicros()) / 1e6;
  }

  private void keepQueue(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    double rate = rateOf(sentBy);
    double goal = goal(sentBy, law.wantedMicros(rate));
    double boost = boost(rate, nowMicros);
    double change;
    if (goal >= cwnd || boost > 0) {
      change = usesWindow ? Math.max(UP_GAIN * (goal - cwnd) / cwnd, boost) : 0;
    } else {
      change = (goal - cwnd) / cwnd;
    }
    change = Math.max(-1, Math.min(1, change));
    double most = Math.max(windowOf(ceiling.bytesPerSecond()), cwnd);
    setWindow(Math.min(cwnd + change * ackedBytes, most));
    resumed &= nowMicros < resumedUntilMicros;
    boolean empty = emptyRoundTrips(nowMicros) >= EMPTY_ROUND_TRIPS;
    if (rivals.onWindow(cwnd, empty, queue.pathRttMicros(), isOnProbation(nowMicros), nowMicros)) {
      giveWay(false, nowMicros);
    }
  }

  /** Growth per round trip because nothing waits: the link is free. */
  private double boost(double rate, long nowMicros) {
    double rounds = emptyRoundTrips(nowMicros);
    if (rounds < EMPTY_ROUND_TRIPS || nowMicros < resumedUntilMicros) {
      return 0;
    }
    double known = pathRate.maxBytesPerSecond();
    double most = 1;
    if (rate > 0.5 * known) {
      most = BOOST_NEAR_RATE;
    }
    if (rate > 0.85 * known) {
      // What goes beyond the rate during the round trip until it shows must not be a long queue.
      double patient = 2 * law.wantedMicros(rate) / queue.minRttMicros();
      most = Math.min(most, Math.max(BOOST_AT_RATE, patient));
    }
    return Math.min(most, BOOST_START * Math.pow(2, Math.min(rounds - 1, 8)));
  }

  // ---- beside a rival

  private boolean isOnProbation(long nowMicros) {
    return probationUntilMicros != NEVER && nowMicros < probationUntilMicros;
  }

  /**
   * A rival shows.
   *
   * @param blind whether only losses told of it, and no queue
   */
  private void giveWay(boolean blind, long nowMicros) {
    boolean again = isOnProbation(nowMicros);
    double beside = again ? carriedBytesPerSecond : pathRate.latestBytesPerSecond();
    probes.onRival(beside, again, blind, nowMicros);
    carriedBytesPerSecond = 0;
    probationUntilMicros = NEVER;
    leave();
  }

  private void leave() {
    mode = ScavengerMode.YIELDING;
    cwnd = mssBytes;
    emptySinceMicros = NEVER;
    rivals.restart();
  }

  /** The rival seems gone; should it show again soon, it was there all along. */
  private void comeBack(long nowMicros) {
    mode = ScavengerMode.STEERING;
    probationUntilMicros = nowMicros + PROBATION_MICROS;
    rivals.restart();
  }

  private void waitForLink(long nowMicros) {
    cwnd = mssBytes;
    if (emptyRoundTrips(nowMicros) < 1 || !probes.isDue(nowMicros)) {
      return;
    }
    mode = ScavengerMode.PROBING;
    probedBytesPerSecond = 0;
    probeLost = false;
    cwnd = Math.max(2.0 * mssBytes, windowOf(PROBE_START * probes.goalBytesPerSecond()));
    pathRate.interrupt();
    windows.clear();
  }

  private void probe(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    double mostMicros = (law.aloneMicros() + law.packetMicros()) / 2;
    if (queueMicros() > Math.max(emptyMicros(), mostMicros)) {
      endProbe(false, nowMicros);
      return;
    }
    // Nothing waits, so that the path has carried the window of a round trip ago.
    double rate = usesWindow ? Math.min(rateOf(sentBy), rateOf(cwnd)) : 0;
    probedBytesPerSecond = Math.max(probedBytesPerSecond, rate);
    if (rate >= probes.goalBytesPerSecond()) {
      carriedBytesPerSecond = 0;
      comeBack(nowMicros);
      return;
    }
    double growth = isProbingLow() ? 1 : BOOST_NEAR_RATE / 2;
    cwnd += usesWindow ? growth * ackedBytes : 0;
  }

  private boolean isProbingLow() {
    return mode == ScavengerMode.PROBING && rateOf(cwnd) < probes.goalBytesPerSecond() / 2;
  }

  private void endProbe(boolean lossy, long nowMicros) {
    boolean blind = lossy && queueMicros() <= emptyMicros();
    boolean same = probes.onEnd(probedBytesPerSecond, blind, nowMicros);
    if (!lossy) {
      ceiling.lift(); // The queue warns here.
    }
    if (blind) {
      mode = ScavengerMode.PAUSING;
      pauseRounds = PAUSE_ROUNDS;
      setWindow(cwnd / 2);
    } else if (same) {
      mode = ScavengerMode.HOLDING;
      holdFromMicros = nowMicros + HOLD_SETTLING_ROUND_TRIPS * queue.pathRttMicros();
      holdUntilMicros =
          holdFromMicros + Math.max(HOLD_MICROS, HOLD_ROUND_TRIPS * queue.minRttMicros());
      setWindow(HELD_PART * probedBytesPerSecond * queue.minRttMicros() / 1e6);
    } else {
      leave();
    }
  }

  /** Whether the path carries this much and no more, with nobody else on it. */
  private void hold(long nowMicros) {
    // A link that became slower takes longer for each packet, which is no queue.
    double packetMicros = mssBytes * 1e6 / Math.max(1, probedBytesPerSecond);
    boolean free = queueMicros() <= Math.max(emptyMicros(), packetMicros);
    if (nowMicros < holdFromMicros || (free && nowMicros < holdUntilMicros)) {
      return;
    }
    probes.onHeld(probedBytesPerSecond, free, nowMicros);
    if (free) {
      pathRate.restartAt(probedBytesPerSecond);
      comeBack(nowMicros);
    } else {
      leave();
    }
  }

  // ---- at the end of each round trip

  private void endRound(long nowMicros) {
    double queueMicros = round.meanQueueMicros();
    if (mode == ScavengerMode.STEERING && !drain.isDraining()) {
      boolean grew = cwnd > GREW * round.cwndBytes();
      if (rivals.onRound(queueMicros, grew, law.aloneMicros(), law.packetMicros())) {
        giveWay(false, nowMicros);
      }
    } else {
      rivals.restart();
    }
    watchRest(queueMicros, nowMicros);
    if (mode == ScavengerMode.STEERING) {
      carriedBytesPerSecond = Math.max(carriedBytesPerSecond, pathRate.latestBytesPerSecond());
    }
    boolean candidate = sendsLittle() && queueMicros > law.aloneMicros();
    long longerMicros = longerPath.onRound(queueMicros, candidate, law.packetMicros(), nowMicros);
    if (longerMicros > 0) {
      queue.onLongerPath(longerMicros);
      drain.onUpToSpeed(nowMicros);
      if (mode == ScavengerMode.YIELDING) {
        mode = ScavengerMode.STEERING;
      }
    }
    law.onRound();
    judgeLosses(nowMicros);
  }

  /** Alone or among its own kind it comes to rest; beside a TCP never. */
  private void watchRest(double queueMicros, long nowMicros) {
    if (mode != restMode) {
      atRest.restart();
      restMode = mode;
      restlessSinceMicros = nowMicros;
    }
    boolean steering = mode == ScavengerMode.STEERING;
    if (!drain.isDraining()
        && (steering || mode == ScavengerMode.YIELDING)
        && isAtRest(queueMicros, nowMicros)) {
      restlessSinceMicros = nowMicros;
      if (!steering) {
        comeBack(nowMicros);
      } else if (!isOnProbation(nowMicros)) {
        probes.onAlone(Math.min(ceiling.bytesPerSecond(), pathRate.maxBytesPerSecond()));
      }
      return;
    }
    long patienceMicros =
        (isOnProbation(nowMicros) ? RESTLESS_MICROS / 2 : RESTLESS_MICROS)
            + RESTLESS_ROUND_TRIPS * queue.minRttMicros();
    if (steering && nowMicros - restlessSinceMicros > patienceMicros) {
      restlessSinceMicros = nowMicros;
      giveWay(false, nowMicros);
    }
  }

  private boolean isAtRest(double queueMicros, long nowMicros) {
    double packetMicros = law.wholePacketMicros();
    double part = Math.max(law.aloneMicros() / 2, REST_RANGE * atRest.high());
    double range = Math.max(NOISE_MICROS, part + packetMicros);
    double most =
        mode == ScavengerMode.YIELDING ? REST * law.aloneMicros() + packetMicros : Double.MAX_VALUE;
    return atRest.onRound(queueMicros, most, range, queue.minRttMicros(), nowMicros);
  }

  // ---- losses

  private void judgeLosses(long nowMicros) {
    double rate = rateOf(round.cwndBytes());
    boolean low = isLow(rate, nowMicros);
    double lost = losses.roundLost();
    double packets = losses.roundPackets();
    double excess = losses.endRound(low);
    if (mode == ScavengerMode.STEERING && !drain.isDraining()) {
      if (excess == 0) {
        ceiling.onCalmRound(rate, nowMicros);
      } else {
        ceiling.onLossyRound();
      }
    }
    switch (mode) {
      case TESTING -> watchTest(low && lossTest.onRound(packets, lost), nowMicros);
      case PAUSING -> {
        if (--pauseRounds <= 0) {
          leave();
        }
      }
      case PROBING -> {
        if (excess > 0 && (probeLost || excess > BURST_SHARE)) {
          endProbe(true, nowMicros);
        }
        probeLost = excess > 0;
      }
      case RAMPING, STEERING -> {
        if (excess > 0) {
          onLossyRound(excess, lost, rate, nowMicros);
        }
      }
      case YIELDING, HOLDING -> {}
    }
  }

  /** Whether this round trip's losses cannot be this connection's own doing. */
  private boolean isLow(double rate, long nowMicros) {
    highRate = Math.max(highRate * 0.999, rate);
    boolean low =
        switch (mode) {
          case TESTING, PAUSING, YIELDING, HOLDING -> true;
          case STEERING -> rivals.isSteady() && rate < highRate / 2;
          case RAMPING, PROBING -> false;
        };
    if (!low) {
      lowSinceMicros = nowMicros;
    }
    return low
        && nowMicros - lowSinceMicros > LossTest.SETTLING_ROUND_TRIPS * queue.latestRttMicros();
  }

  private void watchTest(boolean burst, long nowMicros) {
    if (burst) {
      giveWay(true, nowMicros);
      return;
    }
    if (!lossTest.isOver(nowMicros)) {
      return;
    }
    mode = ScavengerMode.STEERING;
    if (lossTest.isRandom(losses.randomShare())) {
      ceiling.lift();
      cwnd = Math.max(cwnd, lossTest.cwndBefore());
    } else if (lossTest.rateBefore() > 0 && !ceiling.isSet()) {
      ceiling.onLoss(lossTest.rateBefore(), nowMicros);
    }
  }

  /** A round trip lost more than chance explains. */
  private void onLossyRound(double excess, double lost, double rate, long nowMicros) {
    boolean ramped = mode == ScavengerMode.RAMPING;
    mode = ScavengerMode.STEERING;
    emptySinceMicros = NEVER;
    rivals.onOwnCut();
    if (ramped) {
      drain.onUpToSpeed(nowMicros);
    }
    boolean burst = lost >= BURST_PACKETS || excess > BURST_SHARE;
    boolean blind = round.maxQueueMicros() < law.wantedMicros(rate);
    boolean hair = isOnProbation(nowMicros);
    double delivered =
        Math.min(round.rate(queue.minRttMicros() / 2.0, nowMicros), rate * (1 - excess));
    if (!ramped && nowMicros < resumedUntilMicros) {
      setWindow(BURST_CUT * cwnd);
      return;
    }
    // A burst from a queue that this connection did not raise, or at a rate that the path has
    // carried for long: somebody else's doing, if it happens again.
    boolean ownDoing = ramped || (blind ? !ceiling.isProven(rate) : !rivals.isSteady());
    if (burst && !ownDoing && rivals.onBurst(hair, nowMicros)) {
      giveWay(blind, nowMicros);
      return;
    }
    if (ramped || burst) {
      if (blind) {
        ceiling.onLoss(delivered, nowMicros);
      }
      law.onFull(round.maxQueueMicros());
      setWindow(Math.min(BURST_CUT * cwnd, windowOf(ceiling.bytesPerSecond())));
    }
    if (lossTest.isDue(nowMicros)) {
      lossTest.begin(excess, burst && blind ? delivered : 0, cwnd, queue, nowMicros);
      mode = ScavengerMode.TESTING;
      setWindow(TEST_CUT * cwnd);
    } else if (!burst) {
      setWindow(cwnd * (1 - Math.min(MOST_LOSS_CUT, Math.max(LEAST_LOSS_CUT, excess))));
    }
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    losses.onLoss(lostBytes / (double) mssBytes);
    if (mode == ScavengerMode.STEERING
        && rivals.onLoss((double) queueMicros(), law.aloneMicros())) {
      giveWay(false, nowMicros);
    }
  }

  @Override
  public void onLateLoss(long lostBytes, long nowMicros) {
    losses.onLoss(lostBytes / (double) mssBytes);
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    started = true;
    if (mode == ScavengerMode.RAMPING || mode == ScavengerMode.STEERING) {
      giveWay(false, nowMicros);
    } else {
      leave();
    }
    pathRate.interrupt();
    windows.clear();
  }

  // ---- stops that let the queue empty, idleness

  /** Whether this connection is stopped to let the queue empty; begins and ends that. */
  private boolean drains(long nowMicros) {
    if (!drain.isDraining()) {
      if (mode != ScavengerMode.STEERING
          || cwnd < MIN_DRAINING_SEGMENTS * mssBytes
          || !drain.isDue(nowMicros)) {
        return false;
      }
      resumeBytes = cwnd;
      drain.begin(queue, nowMicros);
    }
    if (!drain.endsNow(queue, nowMicros)) {
      cwnd = 2.0 * mssBytes;
      return true;
    }
    cwnd = Math.max(cwnd, resumeBytes);
    windows.clear();
    pathRate.interrupt();
    rivals.restart();
    emptySinceMicros = NEVER;
    resumedUntilMicros = nowMicros + 2 * queue.pathRttMicros();
    resumed = true;
    round.restart();
    return true;
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    if (idleMicros < IDLE_MICROS) {
      return; // At the floor every packet goes alone.
    }
    pathRate.interrupt();
    rivals.restart();
    windows.clear();
    round.restart();
    emptySinceMicros = NEVER;
    if (idleMicros > IDLE_RESTART_MICROS) {
      cwnd = Math.min(cwnd, initialWindowBytes());
      mode = ScavengerMode.RAMPING;
    }
  }

  private double initialWindowBytes() {
    return (double) INITIAL_SEGMENTS * mssBytes;
  }

  // ---- what others read

  /** Over the round trip of today's queue: the smoothed one remembers a rival's for long. */
  @Override
  public long pacingRateBytesPerSecond() {
    if (!queue.hasRtt()) {
      return 0;
    }
    double rttMicros =
        Math.max(1.0, Math.min((double) queue.pathRttMicros(), MAX_PACING_RTT_MICROS));
    if (mode == ScavengerMode.YIELDING) {
      return (long) (mssBytes * 1e6 / Math.max(rttMicros, floorIntervalMicros()));
    }
    double gain = mode == ScavengerMode.RAMPING || isProbingLow() ? RAMP_PACING : PACING;
    return Math.max(1, (long) ((resumed ? 1 : gain) * cwnd * 1e6 / rttMicros));
  }

  private double floorIntervalMicros() {
    double rate = FLOOR_PART * pathRate.maxBytesPerSecond();
    double interval = rate == 0 ? FLOOR_INTERVAL_MICROS : mssBytes * 1e6 / rate;
    return Math.min(FLOOR_INTERVAL_MICROS, Math.max(SHORTEST_FLOOR_INTERVAL_MICROS, interval));
  }

  @Override
  public long currentDelayMicros() {
    return queue.currentDelayMicros();
  }

  @Override
  public long baseDelayMicros() {
    return queue.baseDelayMicros();
  }

  @Override
  public long queuingDelayMicros() {
    return queueMicros();
  }
}
