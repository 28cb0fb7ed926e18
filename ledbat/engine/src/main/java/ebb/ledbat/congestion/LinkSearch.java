package ebb.ledbat.congestion;

/**
 * What a scavenger does beside a rival: it leaves the link, looks from time to time whether it is
 * free, holds what several looks ended at, and comes back on probation. Owns the window while it
 * yields, probes, holds and pauses; when to look and what proves that the rival is gone say {@link
 * Probes}.
 *
 * <p>Not thread-safe.
 */
final class LinkSearch {
  /** A probe begins with this part of what it is to reach. */
  private static final double PROBE_START = 1.0 / 16;

  /** ... or this, where an empty queue proves that the rival is gone. */
  private static final double FREE_START = 1.0 / 4;

  /** What several probes ended at is held a little below. */
  private static final double HELD_PART = 0.8;

  private static final long HOLD_MICROS = 600_000;
  private static final int HOLD_ROUND_TRIPS = 8;
  private static final int HOLD_SETTLING_ROUND_TRIPS = 3;
  private static final int PAUSE_ROUNDS = 8;

  /** More than this is a queue, in packets, where a buffer holds several and packets come whole. */
  private static final double QUEUED_PACKETS = 1.25;

  /** ... and where it holds many: two of its own that came together are nobody's queue. */
  private static final double QUEUED_PACKETS_OF_MANY = 2.25;

  /**
   * CUBIC keeps 0.7 of its window after a loss (RFC 9438, 4.6): of 1.5 times what the path holds
   * more than that, so that a buffer of half a round trip does not empty while it is there.
   */
  private static final double DEEP_PART = 0.5;

  private static final double FREE_GROWTH = 0.5;

  /** Once it seemed gone, a rival that shows again within this time was there all along. */
  private static final long PROBATION_MICROS = 20_000_000;

  /** Where looks cost little: half of the ten round trips in which a free link is to be in use. */
  private static final int MOST_WAIT_ROUND_TRIPS = 5;

  /** What a look sent is known as lost two round trips and this long after its end. */
  private static final long LOOK_LOSSES_MICROS = 100_000;

  /** A probe that loses so much in one round trip ends at once. */
  private static final double BURST_SHARE = 0.1;

  private static final long NEVER = Long.MIN_VALUE;

  private final ScavengerState own;
  private final ScavengerPath path;
  private final Probes probes = new Probes();
  private final Creep creep = new Creep();

  private long probationUntilMicros = NEVER;
  private double carriedBytesPerSecond;
  private double probedBytesPerSecond;
  private boolean probeLost;
  private boolean longQueue;
  private boolean onlyLosses;
  private boolean looked;
  private long lookEndedMicros = NEVER;
  private boolean wasNobody;
  private int pauseRounds;
  private long holdFromMicros;
  private long holdUntilMicros;

  LinkSearch(ScavengerState own) {
    this.own = own;
    path = own.path;
  }

  /** Whether a rival was there a moment ago, so that the first sign of one is enough. */
  boolean isOnProbation(long nowMicros) {
    return probationUntilMicros != NEVER && nowMicros < probationUntilMicros;
  }

  /**
   * Whether the first sign of a rival is enough: one was there a moment ago, or this connection has
   * never had the link for itself, so that others were there before it.
   */
  boolean isWary(long nowMicros) {
    return isOnProbation(nowMicros) || !probes.knowsLink();
  }

  /** Whether this connection had the link for itself, or a look found it free a moment ago. */
  boolean foundFree(long nowMicros) {
    return isOnProbation(nowMicros) || probes.knowsLink();
  }

  /**
   * Whether the link was found free at once, or by creeping, after losses alone had told of a
   * rival: it was none.
   */
  boolean wasNobody() {
    return wasNobody;
  }

  /** Less arrives than before: whoever takes the rest is no rival that was none. */
  void onSomebody() {
    wasNobody = false;
  }

  /** The connection had the link for itself and carried this much. */
  void onAlone(double bytesPerSecond) {
    probes.onAlone(bytesPerSecond);
  }

  /** A round trip of steering ended: what it carried may have been beside a rival. */
  void onSteered() {
    carriedBytesPerSecond = Math.max(carriedBytesPerSecond, path.rate.latestBytesPerSecond());
  }

  /**
   * A rival shows.
   *
   * @param trigger what shows it
   */
  void giveWay(String trigger, RivalSign sign, long nowMicros) {
    boolean again = isOnProbation(nowMicros);
    longQueue = sign == RivalSign.LONG_QUEUE;
    onlyLosses = sign == RivalSign.BLIND_LOSS;
    double beside = again ? carriedBytesPerSecond : path.rate.latestBytesPerSecond();
    if (onlyLosses) {
      probes.onKept(own.ceiling.provenBytesPerSecond());
    }
    probes.onRival(beside, again, onlyLosses ? path.tcpRecoveryMicros() : 0, nowMicros);
    creep.onRival(nowMicros);
    carriedBytesPerSecond = 0;
    looked = false;
    wasNobody = false;
    probationUntilMicros = NEVER;
    leave(trigger);
  }

  void leave(String trigger) {
    own.enter(ScavengerMode.YIELDING, trigger);
    own.cwnd = own.mssBytes;
    own.regrowth.stop();
    creep.onLookEnd();
    path.forgetEmptiness();
    own.rivals.restart();
  }

  /** Whether nothing but losses told of the rival, on a path where nothing else would. */
  boolean sawOnlyLosses() {
    return onlyLosses && !path.warns();
  }

  /** The rival seems gone; should it show again soon, it was there all along. */
  void comeBack(String trigger, long nowMicros) {
    own.enter(ScavengerMode.STEERING, trigger);
    creep.stop();
    probationUntilMicros = nowMicros + PROBATION_MICROS;
    own.rivals.restart();
    if (longQueue) {
      own.ceiling.lift(); // It was set beside the rival, in whose queue losses were its doing.
      own.regrowth.begin();
    }
  }

  // ---- at each acknowledgement

  void waitForLink(long nowMicros) {
    own.setWindow(path.windowOf(creep.bytesPerSecond()));
    if (path.emptyRoundTrips(nowMicros) < 1) {
      return;
    }
    if (creep.isDue(nowMicros) && path.hidesRivals()) {
      creep.begin(probes.goalBytesPerSecond(), path.tcpPacketsBetweenLosses(), nowMicros);
    }
    if (!probes.isDue(nowMicros)) {
      return;
    }
    own.enter(ScavengerMode.PROBING, "queue_empty");
    probedBytesPerSecond = 0;
    probeLost = false;
    double start = tcpNeverEmpties() ? FREE_START : PROBE_START;
    double first = path.windowOf(start * probes.goalBytesPerSecond());
    own.cwnd = Math.max(2.0 * own.mssBytes, first);
    own.regrowth.freeFrom(own.cwnd);
    path.interrupt();
  }

  /** What is sent while it waits; 0 for the least. */
  double creepingBytesPerSecond() {
    return creep.bytesPerSecond();
  }

  /** A round trip of waiting ended, in which so many packets arrived. */
  void onWaitRound(double arrived, double excess, double meanQueueMicros, long nowMicros) {
    long lookLossesMicros = 2 * path.queue.latestRttMicros() + LOOK_LOSSES_MICROS;
    if (excess > 0 && looked && nowMicros < lookEndedMicros + lookLossesMicros) {
      probes.onOverfilled(path.tcpPeriodMicros(), nowMicros);
    }
    if (creep.onRound(arrived, excess > 0, meanQueueMicros, mostProbeMicros(), nowMicros)) {
      path.rate.restartAt(creep.bytesPerSecond());
      findFree(true, "nothing_lost", nowMicros);
      probationUntilMicros = NEVER; // It cannot have been there.
    }
  }

  /** The link carries what nobody leaves; {@code never}: and nobody else can have been there. */
  private void findFree(boolean never, String trigger, long nowMicros) {
    carriedBytesPerSecond = 0;
    wasNobody = onlyLosses && never;
    comeBack(trigger, nowMicros);
  }

  /** More than this is somebody's queue. */
  private double mostProbeMicros() {
    double mostMicros = (path.law.aloneMicros() + path.law.packetMicros()) / 2;
    if (path.isDeep()) {
      double packets = path.holdsMany() ? QUEUED_PACKETS_OF_MANY : QUEUED_PACKETS;
      mostMicros = Math.max(mostMicros, packets * path.law.unitMicros());
    }
    return Math.max(own.emptyMicros(), Math.max(mostMicros, path.perhapsHeldBackMicros()));
  }

  void probe(long ackedBytes, double sentBy, boolean usesWindow, long nowMicros) {
    if (path.queueMicros() > mostProbeMicros()) {
      endProbe(false, nowMicros);
      return;
    }
    // Nothing waits, so that the path has carried the window of a round trip ago.
    double rate = usesWindow ? Math.min(path.rateOf(sentBy), own.rate()) : 0;
    probedBytesPerSecond = Math.max(probedBytesPerSecond, rate);
    if (rate >= probes.goalBytesPerSecond()) {
      findFree(!looked, "goal_reached", nowMicros);
      return;
    }
    double growth = isProbingLow() ? lowGrowth() : nearGrowth();
    own.cwnd += usesWindow ? growth * ackedBytes : 0;
  }

  /** Where no queue warns, what is sent before a loss is known costs the rival a second one. */
  private double lowGrowth() {
    return sawOnlyLosses() ? QueueKeeper.BOOST_NEAR_RATE : 1;
  }

  /**
   * Growth per round trip near the goal: from half of it to all of it in about a second, in which a
   * TCP takes back what it left; faster where nothing would be left.
   */
  private double nearGrowth() {
    if (cubicNeverEmpties()) {
      return FREE_GROWTH;
    }
    double seconds = path.queue.minRttMicros() / 1e6;
    double most = QueueKeeper.BOOST_NEAR_RATE;
    return Math.max(most / 2, Math.min(most, seconds));
  }

  /**
   * Whether the rival's queue was lately so long that CUBIC, if it was one, never empties it.
   * Chance takes CUBIC's packets from an empty queue, too.
   */
  private boolean cubicNeverEmpties() {
    return longQueue
        && path.holdsMany()
        && path.recentRoundTrips() > DEEP_PART
        && !own.losses.isLossy();
  }

  /** ... or that Reno, which keeps half, does not, either; far away, where looks are slow. */
  private boolean tcpNeverEmpties() {
    return path.isFar() && cubicNeverEmpties() && path.recentRoundTrips() > 1;
  }

  /**
   * The pace of a probe's doubling window: up to what the path has carried, bursts cost nothing.
   */
  double doublingBytesPerSecond(double most, double least) {
    return Math.min(most, Math.max(least, probes.carriedBytesPerSecond()));
  }

  boolean isProbingLow() {
    return own.mode == ScavengerMode.PROBING && own.rate() < probes.goalBytesPerSecond() / 2;
  }

  private void endProbe(boolean lossy, long nowMicros) {
    boolean blind = lossy && path.queueMicros() <= own.emptyMicros();
    long recoveryMicros = blind ? path.tcpRecoveryMicros() : 0;
    looked = true;
    lookEndedMicros = nowMicros;
    if (!blind && path.holdsMany()) {
      probes.boundWait(MOST_WAIT_ROUND_TRIPS * path.queue.minRttMicros());
    }
    boolean same = probes.onEnd(probedBytesPerSecond, recoveryMicros, nowMicros);
    if (!lossy) {
      own.ceiling.lift(); // The queue warns here.
    }
    if (blind && path.wouldWarn((double) path.queueMicros())) {
      own.enter(ScavengerMode.PAUSING, "losses");
      pauseRounds = PAUSE_ROUNDS;
      own.setWindow(own.cwnd / 2);
    } else if (same && !blind) {
      beginHold(nowMicros);
    } else {
      leave(lossy ? "losses" : "queue");
    }
  }

  private void beginHold(long nowMicros) {
    long minRttMicros = path.queue.minRttMicros();
    own.enter(ScavengerMode.HOLDING, "same_rate");
    holdFromMicros = nowMicros + HOLD_SETTLING_ROUND_TRIPS * path.queue.pathRttMicros();
    holdUntilMicros = holdFromMicros + Math.max(HOLD_MICROS, HOLD_ROUND_TRIPS * minRttMicros);
    own.setWindow(HELD_PART * probedBytesPerSecond * minRttMicros / 1e6);
  }

  /** Whether the path carries this much and no more, with nobody else on it. */
  void hold(long nowMicros) {
    // A link that became slower takes longer for each packet, which is no queue.
    double packetMicros = own.mssBytes * 1e6 / Math.max(1, probedBytesPerSecond);
    boolean free = path.queueMicros() <= Math.max(mostProbeMicros(), packetMicros);
    if (nowMicros < holdFromMicros || (free && nowMicros < holdUntilMicros)) {
      return;
    }
    probes.onHeld(probedBytesPerSecond, free, nowMicros);
    if (free) {
      path.rate.restartAt(probedBytesPerSecond);
      comeBack("held", nowMicros);
    } else {
      leave("queue");
    }
  }

  /** Something was lost that is not what the path loses anyway. */
  void onLoss(long nowMicros) {
    boolean warned = path.wouldWarn((double) path.queueMicros());
    if (own.mode == ScavengerMode.PROBING && sawOnlyLosses() && !warned) {
      endProbe(true, nowMicros);
    }
  }

  // ---- at the end of each round trip

  /**
   * A round trip of a probe ended.
   *
   * @param excess the part of it that was lost beyond what chance explains, 0 to 1
   */
  void onProbeRound(double excess, long nowMicros) {
    boolean enough =
        probeLost || excess > BURST_SHARE || !path.wouldWarn((double) path.queueMicros());
    if (excess > 0 && enough) {
      endProbe(true, nowMicros);
    }
    probeLost = excess > 0;
  }

  void onPauseRound() {
    if (--pauseRounds <= 0) {
      leave("pause_over");
    }
  }
}
