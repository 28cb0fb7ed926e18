package ebb.ledbat.congestion;

/**
 * What a scavenger does about losses of which no queue warned, on a path whose buffer has never
 * shown: it keeps its rate and watches whether the losses end by themselves ({@link
 * OverloadWatch}). If they go on, what arrives is what the path carries; less than it was before
 * counts as an end. If they end, somebody else stepped back; that twice shows a rival, and once
 * where {@link LinkSearch#isWary} says so, unless it comes more often than a TCP can make it, which
 * is chance. Where the first look afterwards, or creeping, found the link free, the path loses so
 * by itself, as long as what arrives is not less. Losses of more than it can make ({@link
 * SuddenLosses}) need no watch. Owns the watch and what its outcomes say; the window is its own
 * while the watch runs.
 *
 * <p>Not thread-safe.
 */
final class BlindLosses {
  /** A little more than before is sent, so that losses of the own making cannot end by luck. */
  private static final double RAISED = 1.07;

  /** So much lost in a round trip needs no watch to know that too much was sent. */
  private static final double FAR_TOO_MUCH = 0.25;

  /** One loss in a doubling window says little: the next round trip loses half. */
  private static final double RAMP_LOST = 2;

  private static final double RAMP_SHARE = 0.1;

  /** A single packet is lost by chance more often than by a full buffer. */
  private static final double SEVERAL = 2;

  /** Where so many arrive in a row, chance does not lose two of the next round trip. */
  private static final double CALM_PACKETS = 500;

  private static final double AFTER_LOSSES = 0.85;

  /** Ends within this time are counted together. */
  private static final long MEMORY_MICROS = 20_000_000;

  private static final int ENDS_OF_RIVAL = 2;

  /** In the time in which a TCP loses once, several flows of it may so often ... */
  private static final double ENDS_PER_PERIOD = 3;

  /** ... so that so many more are chance, and fewer than this are a rival's. */
  private static final double MORE_BY_CHANCE = 2;

  private static final double MORE_BY_RIVAL = 0.5;

  /** A path takes what it took before: where this part of it arrives, somebody has the rest. */
  private static final double LESS_ARRIVES = 0.95;

  /** ... and as long as this part of the most does, nobody has: a TCP that joins takes half. */
  private static final double AS_MUCH_ARRIVES = 0.75;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final LinkSearch search;
  private final OverloadWatch watch = new OverloadWatch();
  private final SuddenLosses sudden = new SuddenLosses();

  private boolean watching;
  private boolean cut;
  private boolean several;
  private boolean calmly;
  private boolean asked;
  private double calm;
  private double calmBefore;
  private double cwndBefore;
  private int ends;
  private long firstEndMicros = Long.MIN_VALUE / 2;
  private double packets;
  private double lost;
  private double arrived;
  private double arrivedBefore;
  private long arrivedMicros = Long.MIN_VALUE / 2;
  private long settledMicros = Long.MIN_VALUE;

  BlindLosses(ScavengerState own, LinkSearch search) {
    this.own = own;
    this.search = search;
    path = own.path;
  }

  /** Whether a watch is under way: what is lost now may be of what it sends. */
  boolean isWatching() {
    return watching && own.mode == ScavengerMode.TESTING;
  }

  /**
   * Whether the losses of a round trip are such ones.
   *
   * @param rate that of the window in it
   */
  boolean areThese(RoundTrip round, double rate) {
    return round.meanQueueMicros() < path.law.quietMicros(rate)
        && !path.wouldWarn(round.maxQueueMicros());
  }

  /**
   * A round trip lost more than chance explains.
   *
   * @param excess this part of it
   * @param roundPackets of which it tells
   * @param lostPackets of these
   */
  void onLossyRound(
      RoundTrip round, double excess, double roundPackets, double lostPackets, long nowMicros) {
    boolean ramped = own.mode == ScavengerMode.RAMPING;
    if (nowMicros < settledMicros) {
      return; // Sent before the window was cut.
    }
    if (ramped && (lostPackets < RAMP_LOST || excess < RAMP_SHARE)) {
      return;
    }
    sudden.begin(roundPackets, lostPackets, !ramped && own.ceiling.isCarried(own.rate()));
    own.onLosses(ramped, nowMicros);
    cut = ramped || excess > FAR_TOO_MUCH;
    several = lostPackets >= SEVERAL;
    cwndBefore = own.cwnd;
    if (cut) {
      own.ceiling.onLoss(path.delivered(round, excess, nowMicros), nowMicros);
      own.cutToCeiling();
    } else {
      own.setWindow(Math.max(RAISED * own.cwnd, own.cwnd + own.mssBytes));
    }
    calmly = calmBefore >= CALM_PACKETS;
    asked = false;
    begin("losses", nowMicros);
  }

  private void begin(String trigger, long nowMicros) {
    watching = true;
    watch.begin(nowMicros);
    own.enter(ScavengerMode.TESTING, trigger);
  }

  /**
   * A round trip ended.
   *
   * @return whether it belonged to a watch
   */
  boolean watches(double roundPackets, double roundLost, long nowMicros) {
    calmBefore = roundLost > 0 ? calm : calmBefore;
    calm = roundLost > 0 ? 0 : calm + roundPackets;
    watching = isWatching();
    if (own.isSteering() ? !own.drain.isDraining() : watching && !cut) {
      packets += roundPackets;
      lost += roundLost;
    }
    if (!watching) {
      return false;
    }
    if (sudden.onRound(roundPackets, roundLost)) {
      giveWay(nowMicros);
      return true;
    }
    switch (watch.onRound(roundPackets, roundLost, nowMicros)) {
      case OPEN -> {}
      case GOES_ON -> onOwnLosses(nowMicros);
      case ENDED -> {
        own.enter(ScavengerMode.STEERING, "losses_ended");
        if (!cut) {
          onEnd(nowMicros);
        }
      }
    }
    return true;
  }

  /**
   * Nobody stepped back: what arrives is what the path carries. If that is less than it was twice
   * before, somebody takes the rest.
   */
  private void onOwnLosses(long nowMicros) {
    double delivered = delivered(nowMicros);
    boolean recent = nowMicros - arrivedMicros < MEMORY_MICROS;
    if (recent && delivered < LESS_ARRIVES * arrived) {
      search.onSomebody();
    }
    boolean less = recent && delivered < LESS_ARRIVES * Math.min(arrived, arrivedBefore);
    if (less) {
      countEnd(nowMicros);
      boolean hair = search.isOnProbation(nowMicros) && !search.wasNobody();
      if (hair || ends >= ENDS_OF_RIVAL) {
        giveWay(nowMicros);
        return;
      }
    }
    keepBelow(delivered, nowMicros);
    if (!less) {
      forgetEnds(nowMicros);
      arrivedBefore = arrived;
      arrived = delivered;
      arrivedMicros = nowMicros;
      path.rate.restartAt(delivered);
      search.onAlone(own.ceiling.bytesPerSecond());
    }
    cut = true; // What is in flight still loses.
    sudden.stop();
    watch.begin(nowMicros);
  }

  /** The losses ended although as much was sent. */
  private void onEnd(long nowMicros) {
    double delivered = delivered(nowMicros);
    if (isNobodys(delivered)) {
      keepBelow(delivered, nowMicros);
      settledMicros = nowMicros + 2 * path.queue.pathRttMicros();
      return;
    }
    if (!asked) {
      countEnd(nowMicros);
    }
    double periods = (nowMicros - firstEndMicros) / (double) path.tcpPeriodMicros();
    double more = ends - 1 - ENDS_PER_PERIOD * periods;
    if (more >= MORE_BY_CHANCE) {
      own.losses.learn(packets, lost);
      own.setWindow(cwndBefore);
    } else if (search.isOnProbation(nowMicros)
        || (ends >= ENDS_OF_RIVAL && more <= MORE_BY_RIVAL)) {
      giveWay(nowMicros);
    } else if (several && search.isWary(nowMicros)) {
      if (asked || !calmly) {
        giveWay(nowMicros);
      } else {
        // A path that is not known may take 7% too much for a moment, but not for two watches.
        asked = true;
        begin("losses_ended", nowMicros);
      }
    } else {
      own.setWindow(AFTER_LOSSES * cwndBefore);
    }
  }

  private double delivered(long nowMicros) {
    return watch.deliveredPerSecond(nowMicros) * own.mssBytes;
  }

  /**
   * Whether losses that ended were the path's although nobody stepped back: such losses have told
   * of a rival that was none, more is sent than was chosen since, and it arrives as ever.
   */
  private boolean isNobodys(double delivered) {
    return search.wasNobody()
        && own.ceiling.isAbove(path.rateOf(cwndBefore))
        && delivered >= AS_MUCH_ARRIVES * path.rate.maxBytesPerSecond();
  }

  private void keepBelow(double deliveredBytesPerSecond, long nowMicros) {
    own.ceiling.onLoss(deliveredBytesPerSecond, nowMicros);
    own.setWindow(path.windowOf(own.ceiling.bytesPerSecond()));
  }

  private void giveWay(long nowMicros) {
    forgetEnds(nowMicros);
    search.giveWay("losses", RivalSign.BLIND_LOSS, nowMicros);
  }

  private void countEnd(long nowMicros) {
    if (nowMicros - firstEndMicros > MEMORY_MICROS) {
      forgetEnds(nowMicros);
    }
    ends++;
  }

  private void forgetEnds(long nowMicros) {
    ends = 0;
    firstEndMicros = nowMicros;
    packets = 0;
    lost = 0;
  }
}
