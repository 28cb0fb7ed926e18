package ebb.ledbat.congestion;

/**
 * What a scavenger does about losses: at the end of each round trip it asks whether more was lost
 * than chance explains, and then lowers the window, begins a test, or sees a rival in it. Owns the
 * window while a test runs; what counts as chance says {@link LossJudge}, and what losses tell of
 * which no queue can warn {@link BlindLosses}.
 *
 * <p>Not thread-safe.
 */
final class LossResponse {
  /**
   * So much of a round trip's packets lost at once, or two of them, are a burst, if that is more
   * than twice what the path loses anyway.
   */
  private static final double BURST_SHARE = 0.1;

  private static final int BURST_PACKETS = 2;
  private static final double TEST_CUT = 0.7;
  private static final double LEAST_LOSS_CUT = 0.15;
  private static final double MOST_LOSS_CUT = 0.5;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final LinkSearch search;
  private final LossJudge losses;
  private final LossTest lossTest = new LossTest();
  private final BlindLosses blindLosses;
  private long overtakenUntilMicros = Long.MIN_VALUE;
  private double highRate;
  private long lowSinceMicros;

  LossResponse(ScavengerState own, LinkSearch search) {
    this.own = own;
    this.search = search;
    path = own.path;
    losses = own.losses;
    blindLosses = new BlindLosses(own, search);
  }

  void onAck(long ackedBytes) {
    losses.onAck(ackedBytes / (double) own.mssBytes);
  }

  /**
   * Packets seem to be lost.
   *
   * @return whether they count: those that others overtook on a shorter path are late
   */
  boolean onLoss(long lostBytes, long nowMicros) {
    if (nowMicros < overtakenUntilMicros) {
      return false;
    }
    losses.onLoss(lostBytes / (double) own.mssBytes);
    return true;
  }

  void onSpurious(long lostBytes, long nowMicros) {
    if (nowMicros >= overtakenUntilMicros) {
      losses.onSpurious(lostBytes / (double) own.mssBytes);
    }
  }

  /** Packets came by a shorter path: those that seemed lost in this round trip are overtaken. */
  void onShorterPath(long overtakenUntilMicros) {
    this.overtakenUntilMicros = overtakenUntilMicros;
    losses.onSpurious(losses.roundLost());
  }

  /** A round trip ended. */
  void onRound(RoundTrip round, long nowMicros) {
    double rate = path.rateOf(round.cwndBytes());
    boolean low = isLow(rate, nowMicros);
    double lost = losses.roundLost();
    double packets = losses.roundPackets();
    double excess = losses.endRound(low && path.wouldWarn(round.maxQueueMicros()));
    path.onRound(round, lost, own.isSteering());
    if (blindLosses.watches(packets, lost, nowMicros)) {
      return;
    }
    if (own.isSteering() && !own.drain.isDraining()) {
      if (excess == 0) {
        own.ceiling.onCalmRound(rate, nowMicros);
      } else {
        own.ceiling.onLossyRound();
      }
    }
    switch (own.mode) {
      case TESTING -> watchTest(low && lossTest.onRound(packets, lost), nowMicros);
      case PAUSING -> search.onPauseRound();
      case PROBING -> search.onProbeRound(excess, nowMicros);
      case RAMPING, STEERING -> {
        if (own.drain.isDraining()) {
          return; // Of few packets one is a large part, and the end of a stop undoes a cut.
        }
        boolean ownDoing = own.regrowth.explainsLosses(nowMicros);
        if (excess > 0 && !ownDoing && blindLosses.areThese(round, rate)) {
          blindLosses.onLossyRound(round, excess, packets, lost, nowMicros);
        } else if (excess > 0) {
          onLossyRound(round, excess, lost, nowMicros);
        }
      }
      case YIELDING ->
          search.onWaitRound(packets - lost, excess, round.meanQueueMicros(), nowMicros);
      case HOLDING -> {}
    }
  }

  /** Whether this round trip's losses cannot be this connection's own doing. */
  private boolean isLow(double rate, long nowMicros) {
    highRate = Math.max(highRate * 0.999, rate);
    boolean low =
        switch (own.mode) {
          case TESTING -> !blindLosses.isWatching();
          case PAUSING, YIELDING, HOLDING -> true;
          case STEERING -> own.rivals.isSteady() && rate < highRate / 2;
          case RAMPING, PROBING -> false;
        };
    if (!low) {
      lowSinceMicros = nowMicros;
    }
    long settledMicros = LossTest.SETTLING_ROUND_TRIPS * path.queue.latestRttMicros();
    return low && nowMicros - lowSinceMicros > settledMicros;
  }

  private void watchTest(boolean burst, long nowMicros) {
    if (burst) {
      search.giveWay("losses", RivalSign.BLIND_LOSS, nowMicros);
      return;
    }
    if (!lossTest.isOver(nowMicros)) {
      return;
    }
    own.enter(ScavengerMode.STEERING, "test_over");
    if (lossTest.isRandom(losses.randomShare())) {
      own.ceiling.lift();
      own.cwnd = Math.max(own.cwnd, lossTest.cwndBefore());
    } else if (lossTest.rateBefore() > 0 && !own.ceiling.isSet()) {
      own.ceiling.onLoss(lossTest.rateBefore(), nowMicros);
    }
  }

  /** A round trip lost more than chance explains. */
  private void onLossyRound(RoundTrip round, double excess, double lost, long nowMicros) {
    double rate = path.rateOf(round.cwndBytes());
    boolean ramped = own.mode == ScavengerMode.RAMPING;
    own.enter(ScavengerMode.STEERING, "losses");
    own.onLosses(ramped, nowMicros);
    if (!ramped && nowMicros < own.resumedUntilMicros) {
      own.setWindow(ScavengerState.BURST_CUT * own.cwnd);
      return;
    }
    double delivered = path.delivered(round, excess, nowMicros);
    if (own.regrowth.explainsLosses(nowMicros)) {
      own.regrowth.onFull(path.queue.latestRttMicros(), nowMicros);
      own.setWindow(Math.min(ScavengerState.BURST_CUT * own.cwnd, path.windowOf(delivered)));
      return;
    }
    boolean much = lost >= BURST_PACKETS || excess > BURST_SHARE;
    boolean burst = much && excess > losses.randomShare();
    boolean blind = round.maxQueueMicros() < path.law.wantedMicros(rate);
    // A burst from a queue that this connection did not raise, or at a rate that the path has
    // carried for long: somebody else's doing, if it happens again.
    boolean ownDoing = ramped || (blind ? !own.ceiling.isProven(rate) : !own.rivals.isSteady());
    if (burst && !ownDoing && own.rivals.onBurst(search.isWary(nowMicros), nowMicros)) {
      search.giveWay("losses", blind ? RivalSign.BLIND_LOSS : RivalSign.OTHER, nowMicros);
      return;
    }
    if (ramped || burst) {
      if (blind) {
        own.ceiling.onLoss(delivered, nowMicros);
      }
      path.law.onFull(round.maxQueueMicros());
      own.cutToCeiling();
    }
    if (lossTest.isDue(nowMicros)) {
      double deliveredBlind = burst && blind ? delivered : 0;
      lossTest.begin(excess, deliveredBlind, own.cwnd, path.queue, nowMicros);
      own.enter(ScavengerMode.TESTING, "losses");
      own.setWindow(TEST_CUT * own.cwnd);
    } else if (!burst) {
      double cut = Math.min(MOST_LOSS_CUT, Math.max(LEAST_LOSS_CUT, excess));
      own.setWindow(own.cwnd * (1 - cut));
    }
  }
}
