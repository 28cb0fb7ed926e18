package ebb.ledbat.congestion;

/**
 * Whether more arrives when more is sent, on a path that holds packets back. There a delay grows
 * with the own rate though nothing queues, and would keep the window small for ever. On a link that
 * is full a larger window makes a longer queue, and what arrives stays the same. Beside a TCP more
 * may arrive, but the delay moves by itself. On any path such a trial is asked for before somebody
 * is accused for want of rest, and gives way where it does not prove that nobody is there. Owns
 * what it counts and when one may begin; the window is its own while a larger one is tried.
 *
 * <p>Not thread-safe.
 */
final class GrowthTrial {
  /** The window is raised to so many times itself. */
  private static final double RAISED = 1.25;

  /** So many times as much arrives where the link is not full: three fifths of what is added ... */
  private static final double ARRIVES = 1 + 0.6 * (RAISED - 1);

  /** ... and no more than this where it is full and nobody else is there: two fifths ... */
  private static final double QUEUES = 1 + 0.4 * (RAISED - 1);

  /** ... or an eighth where nothing hides it: */
  private static final double QUEUES_PLAINLY = 1 + (RAISED - 1) / 8;

  /** what is added waits, so that the delay grows by as much of a round trip, or this part. */
  private static final double WAITS = 0.3 * (RAISED - 1);

  /** A mean delay that moves by more than these two is not the path's own. */
  private static final double MOVED_PART = 0.2;

  private static final double MOVED_MICROS = 500;

  /** After so many steps it was the path's own until the last one filled the link. */
  private static final int SURE_STEPS = 4;

  /** What is counted begins and ends with packets that are late: a tenth of the time at most. */
  private static final int COUNTED_SPANS = 10;

  private static final int COUNTED_ROUND_TRIPS = 2;
  private static final long PLAINLY_COUNTED_MICROS = 100_000;

  /** Before a trial the mean delays of so many counts, and of a second, are alike. */
  private static final int CALM_COUNTS = 4;

  private static final long CALM_MICROS = 1_000_000;
  private static final double CALM_PART = 0.35;

  private static final long FIRST_GAP_MICROS = 1_000_000;
  private static final long MAX_GAP_MICROS = 64_000_000;

  private enum Phase {
    WATCHING,
    SETTLING,
    RAISED
  }

  private final ScavengerState own;
  private final ScavengerPath path;
  private final LinkSearch search;
  private final PathJitter jitter;

  private Phase phase = Phase.WATCHING;
  private boolean counting;
  private long fromMicros;
  private long untilMicros;
  private double bytes;
  private double delaySumMicros;
  private int delays;

  private int calmCounts;
  private long calmSinceMicros;
  private double leastMicros;
  private double mostMicros;

  private int steps;
  private double firstWindow;
  private double firstJitterMicros;
  private double windowBefore;
  private double rateBefore;
  private double delayBeforeMicros;

  private long gapMicros = FIRST_GAP_MICROS;
  private long gapAfterLossMicros = MAX_GAP_MICROS;
  private long nextMicros = Long.MIN_VALUE;
  private boolean asked;

  GrowthTrial(ScavengerState own, LinkSearch search) {
    this.own = own;
    this.search = search;
    path = own.path;
    jitter = path.jitter;
  }

  /** Whether a larger window is tried now. */
  boolean isUnderWay() {
    return phase != Phase.WATCHING;
  }

  /**
   * Somebody else seems to be there: whether that is so must be known, on any path. Where a ceiling
   * holds the window no trial can tell.
   */
  void ask(long nowMicros) {
    asked = true;
    if (!canTell()) {
      giveWay(nowMicros);
    }
  }

  private boolean canTell() {
    return !own.ceiling.isSet() && (asked || jitter.heldBackMicros() > 0);
  }

  private void giveWay(long nowMicros) {
    stop(nowMicros);
    search.giveWay("restless", RivalSign.OTHER, nowMicros);
  }

  /**
   * Data was acknowledged while the window is steered.
   *
   * @param usesWindow whether the connection sends as much as it may
   * @param mayBegin whether a trial may begin that nobody asked for
   */
  void onAck(long ackedBytes, boolean usesWindow, boolean mayBegin, long nowMicros) {
    if (asked && !canTell()) {
      giveWay(nowMicros);
      return;
    }
    if (!usesWindow || !canTell() || nowMicros < own.resumedUntilMicros) {
      interrupt(nowMicros);
      return;
    }
    if (!counting) {
      calmCounts = 0;
      count(nowMicros); // From here on: what this tells of was sent before.
      return;
    }
    bytes += ackedBytes;
    delaySumMicros += path.queue.queueMicros();
    delays++;
    if (nowMicros < untilMicros) {
      return;
    }
    double rate = bytes / (nowMicros - fromMicros);
    double delayMicros = delaySumMicros / delays;
    switch (phase) {
      case WATCHING -> {
        boolean calm = isCalm(delayMicros, nowMicros);
        boolean due = nowMicros >= nextMicros && delayMicros < jitter.heldBackMicros();
        if (asked || (calm && due && mayBegin)) {
          firstWindow = own.cwnd;
          firstJitterMicros = jitter.knownMicros();
          steps = 0;
          raise(rate, delayMicros, nowMicros);
        } else {
          count(nowMicros);
        }
      }
      case SETTLING -> {
        phase = Phase.RAISED;
        count(nowMicros);
      }
      case RAISED -> judge(rate, delayMicros, nowMicros);
    }
  }

  private void count(long nowMicros) {
    counting = true;
    bytes = 0;
    delaySumMicros = 0;
    delays = 0;
    fromMicros = nowMicros;
    double roundTripsMicros = COUNTED_ROUND_TRIPS * path.queue.pathRttMicros();
    double spanMicros = jitter.heldBackMicros();
    double spansMicros = spanMicros > 0 ? COUNTED_SPANS * spanMicros : PLAINLY_COUNTED_MICROS;
    untilMicros = nowMicros + (long) Math.max(roundTripsMicros, spansMicros);
  }

  /** Whether the mean delay has hardly moved for a while. */
  private boolean isCalm(double delayMicros, long nowMicros) {
    leastMicros = Math.min(leastMicros, delayMicros);
    mostMicros = Math.max(mostMicros, delayMicros);
    if (calmCounts == 0 || mostMicros - leastMicros > CALM_PART * mostMicros + MOVED_MICROS) {
      calmCounts = 0;
      calmSinceMicros = fromMicros;
      leastMicros = delayMicros;
      mostMicros = delayMicros;
    }
    calmCounts++;
    return calmCounts >= CALM_COUNTS && nowMicros - calmSinceMicros >= CALM_MICROS;
  }

  private void raise(double rate, double delayMicros, long nowMicros) {
    windowBefore = own.cwnd;
    rateBefore = rate;
    delayBeforeMicros = delayMicros;
    own.setWindow(RAISED * own.cwnd);
    phase = Phase.SETTLING;
    untilMicros = nowMicros + path.queue.pathRttMicros() + (long) jitter.heldBackMicros();
  }

  private void judge(double rate, double delayMicros, long nowMicros) {
    double moreMicros = delayMicros - delayBeforeMicros;
    boolean moved = Math.abs(moreMicros) > MOVED_PART * delayBeforeMicros + MOVED_MICROS;
    boolean arrives = rate >= ARRIVES * rateBefore;
    if (asked) {
      double most = jitter.heldBackMicros() > 0 ? QUEUES : QUEUES_PLAINLY;
      boolean queues = rate < most * rateBefore && moreMicros > WAITS * path.queue.minRttMicros();
      boolean heldBack = arrives && !moved && delayMicros < jitter.heldBackMicros();
      if (!queues && !heldBack) {
        giveWay(nowMicros);
        return;
      }
      asked = false;
    }
    if (jitter.heldBackMicros() == 0) {
      own.setWindow(windowBefore);
      end(gapMicros, nowMicros);
      return;
    }
    if (arrives && !moved) {
      steps++;
      gapMicros = FIRST_GAP_MICROS;
      jitter.learn(delayMicros);
      raise(rate, delayMicros, nowMicros);
      return;
    }
    if (arrives && steps < SURE_STEPS) {
      undo();
    } else {
      own.setWindow(windowBefore);
    }
    end(2 * gapMicros, nowMicros);
  }

  /** Something was lost: while a trial is under way that is its doing, its window was too large. */
  void onLoss(long nowMicros) {
    if (!isUnderWay()) {
      return;
    }
    undo();
    end(gapMicros, nowMicros);
    nextMicros = nowMicros + gapAfterLossMicros;
    gapAfterLossMicros *= 2;
    own.regrowth.onOverfilled(path.queue.pathRttMicros(), nowMicros);
    if (asked) {
      giveWay(nowMicros);
    }
  }

  private void undo() {
    own.setWindow(firstWindow);
    jitter.setKnown(firstJitterMicros);
  }

  /** The window is not steered now. */
  void stop(long nowMicros) {
    asked = false;
    interrupt(nowMicros);
  }

  private void interrupt(long nowMicros) {
    if (isUnderWay()) {
      if (own.isSteering()) {
        own.setWindow(windowBefore);
      }
      end(gapMicros, nowMicros);
    }
    counting = false;
  }

  private void end(long gap, long nowMicros) {
    phase = Phase.WATCHING;
    counting = false;
    gapMicros = Math.min(gap, MAX_GAP_MICROS);
    nextMicros = nowMicros + gapMicros;
  }
}
