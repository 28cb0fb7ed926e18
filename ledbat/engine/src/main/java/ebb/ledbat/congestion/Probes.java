package ebb.ledbat.congestion;

/**
 * When a connection that yields looks whether its rival is still there, and what it must carry to
 * be sure that it is not. It looks when nothing waits: it grows until something does. A rival
 * leaves a part of the link after each of its losses and takes it back, so that reaching such a
 * part proves nothing; reaching what the link is known to carry does, and so does reaching much
 * more than a rival has ever left. Owns the times and the rates reached.
 *
 * <p>Not thread-safe.
 */
final class Probes {
  /** Almost all of what the link carries is the link. */
  private static final double ALMOST_ALL = 0.75;

  /** ... and this many times what was ever reached beside the rival is not beside it. */
  private static final double MUCH_MORE = 1.25;

  /** Who kept more than this part of what it ever reached had more than a rival leaves. */
  private static final double MOST_BESIDE = 0.5;

  private static final long FIRST_WAIT_MICROS = 100_000;
  private static final long MAX_WAIT_MICROS = 500_000;

  /**
   * Where the queue does not warn, each look may cost the rival a loss, from which it needs some
   * time to recover: at first that is waited for, and at most so many times as long.
   */
  private static final int MOST_RECOVERIES = 4;

  /** So many looks that end at the same rate, within 15%: this is what the link carries now. */
  private static final int SAME_ENDS = 3;

  private static final double SAME = 0.85;

  /** The most of the link that must be reached: a look is no use if it must fill it. */
  private static final double MOST = 0.9;

  private static final long MEMORY_MICROS = 15_000_000;

  private double linkBytesPerSecond;
  private double linkBefore;
  private double kept;
  private int endsNeeded = SAME_ENDS;
  private double beside;
  private double besideBefore;
  private long besideSinceMicros;
  private long waitMicros = FIRST_WAIT_MICROS;
  private long nextMicros;
  private int sameEnds;
  private double lowestEnd;
  private double highestEnd;

  /** The connection had the link for itself and carried this much. */
  void onAlone(double bytesPerSecond) {
    linkBytesPerSecond = bytesPerSecond;
    linkBefore = 0;
    endsNeeded = SAME_ENDS;
  }

  /** Whether the connection has ever had the link, or what there was of it, for itself. */
  boolean knowsLink() {
    return linkBytesPerSecond > 0;
  }

  /** This much was kept for seconds without a loss, whoever else was there; 0 while unknown. */
  void onKept(double bytesPerSecond) {
    kept = bytesPerSecond;
  }

  /**
   * A rival shows.
   *
   * @param besideBytesPerSecond what was carried beside it
   * @param again whether it had seemed gone: the next look can wait
   * @param recoveryMicros what a TCP needs to recover, if only losses told of it; else 0
   */
  void onRival(double besideBytesPerSecond, boolean again, long recoveryMicros, long nowMicros) {
    sameEnds = 0;
    note(besideBytesPerSecond, nowMicros);
    if (again && linkBefore > linkBytesPerSecond) {
      linkBytesPerSecond = linkBefore; // What was held was not all.
      linkBefore = 0;
      endsNeeded *= 2;
    }
    if (again) {
      lengthenWait(recoveryMicros);
    } else {
      waitMicros = Math.max(recoveryMicros, FIRST_WAIT_MICROS);
    }
    nextMicros = again || recoveryMicros > 0 ? nowMicros + waitMicros : nowMicros;
  }

  private void lengthenWait(long recoveryMicros) {
    long mostMicros = Math.max(MOST_RECOVERIES * recoveryMicros, MAX_WAIT_MICROS);
    if (recoveryMicros == 0) {
      mostMicros = Math.max(waitMicros, mostMicros);
    }
    waitMicros = Math.min(Math.max(2 * waitMicros, recoveryMicros), mostMicros);
  }

  /** A rival's queue would show here, so that looks cost it little: no wait is longer than this. */
  void boundWait(long mostMicros) {
    waitMicros = Math.min(waitMicros, Math.max(mostMicros, MAX_WAIT_MICROS));
  }

  /** The last look lost packets, and so did the rival, which takes this long to recover. */
  void onOverfilled(long recoveryMicros, long nowMicros) {
    waitMicros = Math.max(waitMicros, recoveryMicros);
    nextMicros = Math.max(nextMicros, nowMicros + waitMicros);
  }

  private void note(double bytesPerSecond, long nowMicros) {
    if (nowMicros - besideSinceMicros > MEMORY_MICROS) {
      besideBefore = nowMicros - besideSinceMicros > 2 * MEMORY_MICROS ? 0 : beside;
      beside = 0;
      besideSinceMicros = nowMicros;
    }
    beside = Math.max(beside, bytesPerSecond);
  }

  boolean isDue(long nowMicros) {
    return nowMicros >= nextMicros;
  }

  /** The path has carried this much: packets that come no faster make no queue. */
  double carriedBytesPerSecond() {
    return knowsLink() ? goalBytesPerSecond() : Math.max(beside, besideBefore);
  }

  /** What must be carried without a queue to know that nobody else is there. */
  double goalBytesPerSecond() {
    double reached = Math.max(beside, besideBefore);
    double more = MUCH_MORE * reached;
    if (!knowsLink()) {
      return kept < MOST_BESIDE * reached ? more : Math.min(more, kept);
    }
    return Math.max(ALMOST_ALL, Math.min(MOST, more / linkBytesPerSecond)) * linkBytesPerSecond;
  }

  /**
   * A look ended at this rate.
   *
   * @param recoveryMicros what a TCP needs to recover, if losses ended it and no queue warned; else
   *     0
   * @return whether several ended at this rate, so that it may be all that the link carries now
   */
  boolean onEnd(double bytesPerSecond, long recoveryMicros, long nowMicros) {
    note(bytesPerSecond, nowMicros);
    nextMicros = nowMicros + waitMicros;
    lengthenWait(recoveryMicros);
    boolean near = bytesPerSecond >= SAME * highestEnd && SAME * bytesPerSecond <= lowestEnd;
    boolean same = near && bytesPerSecond > 0; // Else a queue was there before it had carried any.
    if (sameEnds == 0 || !same) {
      sameEnds = 0;
      lowestEnd = bytesPerSecond;
      highestEnd = bytesPerSecond;
    }
    lowestEnd = Math.min(lowestEnd, bytesPerSecond);
    highestEnd = Math.max(highestEnd, bytesPerSecond);
    return ++sameEnds >= endsNeeded;
  }

  /** The rate that was found was held for a while and nothing waited, or something did. */
  void onHeld(double bytesPerSecond, boolean free, long nowMicros) {
    sameEnds = 0;
    if (free) {
      linkBefore = linkBytesPerSecond;
      linkBytesPerSecond = bytesPerSecond;
      beside = 0;
      besideBefore = 0;
    } else {
      nextMicros = nowMicros + waitMicros;
    }
  }
}
