package ebb.background.law;

/**
 * The window of a background flow that sees round trips, bytes and losses, a round at a time. Owns
 * what is known of the path; knows nothing of connections, kernels and clocks. Both ends can use
 * it: whoever bounds the bytes in flight.
 *
 * <p>The window is what the path carries, times the round trip that is wanted: its own and a short
 * queue. Alone that is an equilibrium after one round trip. Beside others the same rule shrinks it
 * with each round trip, and a queue that stays although the window shrank is somebody else's: then
 * it yields, and looks again when nothing waits.
 */
public final class WindowLaw {
  /** What the flow is about. */
  enum Mode {
    /** Looks for what the path carries: doubles each round trip. */
    RAMPING,
    /** Holds a short queue. */
    STEERING,
    /** For two round trips less than the path holds, so that the base shows. */
    DRAINING,
    /** Others use the path: the least window. */
    YIELDING
  }

  /** More than the noise of time stamps of a millisecond at both ends, less than CoDel's 5 ms. */
  private static final long LEAST_TARGET_MICROS = 4_000;

  /** Twice this is still no more than the 15 to 20 ms that a call hardly notices. */
  private static final long MOST_TARGET_MICROS = 10_000;

  /**
   * BBR holds a queue of about a base round trip beside others: a quarter tells it from silence.
   */
  private static final int TARGETS_IN_BASE = 4;

  /** What a sender may send before it heard anything (RFC 6928), so no less is asked of it. */
  private static final int FIRST_PACKETS = 10;

  /** A TCP leaves up to half of a link after a loss; who carries three quarters is alone. */
  private static final double ALONE = 0.75;

  /**
   * Who fills a link alone carries what it carried before; a drain or a lost packet is over in
   * less.
   */
  private static final double SQUEEZED = 0.9;

  private static final int SQUEEZED_ROUNDS = 3;

  /**
   * The same sooner, while a rival is in its slow start: cutting what waits takes nothing from who
   * is alone, so who carries less each time is not. Where rounds are of few packets the third tells
   * it from noise.
   */
  private static final int FALLING_ROUNDS = 3;

  /**
   * A long path has four round trips for this until the rival fills a short buffer, and what it
   * loses then it misses for ten seconds.
   */
  private static final int FALLING_ROUNDS_IF_LONG = 2;

  private static final double FALLEN = 0.97;

  /** What a sender's burst makes of a long path's round trip in a look. */
  private static final int BURSTS_IN_BASE = 16;

  private static final long LONG_MICROS = 50_000;

  /** How much of what one flow of an owner has beyond an equal part it leaves with each cut. */
  private static final double SHARING = 0.5;

  /** A look that found less: after ten of them six tenths of what was known is all there is. */
  private static final double FORGETTING = 0.95;

  private static final long DRAIN_EVERY_MICROS = 10_000_000;
  private static final long LEAST_WAIT_MICROS = 100_000;

  /** With the ramp after it, 90% of the link is there again within 3 s. */
  private static final long MOST_WAIT_MICROS = 1_500_000;

  /** Who yields again so soon after a ramp found no free path, but a rival's loss. */
  private static final long PROBATION_MICROS = 5_000_000;

  private final BaseRoundTrip base = new BaseRoundTrip();
  private final long chosenTargetMicros;
  private Mode mode = Mode.RAMPING;
  private double windowBytes;
  private long rttMicros;
  private int packetBytes;
  private long now;
  private double rate;
  private double lastRate;

  /** The most that two rounds on end carried, in bytes a second; forgotten by failed looks. */
  private double knownRate;

  private long modeSince;
  private long settlesAt;
  private int emptyRounds;
  private int badRounds;
  private long cutQueueMicros;
  private long lossTargetMicros = Long.MAX_VALUE;
  private long nextDrain;
  private long waitMicros = LEAST_WAIT_MICROS;
  private long emptySince = Long.MIN_VALUE;
  private double recentPeakBytes;
  private boolean lastLossy;
  private boolean lookingAgain;
  private int squeezedRounds;
  private int fallingRounds;
  private double lastRateOfAll;

  /** A law that knows nothing yet. targetMicros: the queue that is wanted; 0 for its own choice. */
  public WindowLaw(long targetMicros) {
    chosenTargetMicros = targetMicros;
  }

  /** A round trip that was measured without anything in the way, such as that of the handshake. */
  public void handshake(long nowMicros, long micros) {
    base.sample(nowMicros, micros, false);
    rttMicros = micros;
  }

  /** What was seen in the last round. Rounds follow each other without gaps while data flows. */
  public void update(Round round) {
    now = round.nowMicros();
    rttMicros = round.rttMicros();
    packetBytes = round.packetBytes();
    base.sample(now, rttMicros, mode == Mode.YIELDING);
    boolean clean = !round.lossy() && !lastLossy;
    boolean newLoss = round.lossy() && !lastLossy;
    lastLossy = round.lossy();
    lastRate = rate;
    rate = round.rate();
    if (clean) {
      knownRate = Math.max(knownRate, Math.min(rate, lastRate));
    }
    if (windowBytes == 0) {
      windowBytes = FIRST_PACKETS * (double) round.packetBytes();
      modeSince = now;
    }
    double flight = rate * rttMicros / 1e6;
    recentPeakBytes = Math.max(flight, recentPeakBytes * 0.9);
    boolean limited = flight >= 0.6 * windowBytes;
    switch (mode) {
      case RAMPING -> ramp(round, limited, newLoss, clean);
      case STEERING -> steer(round, limited, newLoss);
      case DRAINING -> drain();
      case YIELDING -> look(round);
    }
    if (!limited && mode != Mode.YIELDING) {
      // Who grows while something else limits holds nothing when it matters.
      windowBytes =
          Math.min(
              windowBytes,
              Math.max(2 * recentPeakBytes, FIRST_PACKETS * (double) round.packetBytes()));
    }
    windowBytes = Math.max(windowBytes, leastBytes(round));
  }

  private void ramp(Round round, boolean limited, boolean newLoss, boolean clean) {
    if (queueMicros() > signMicros() || newLoss) {
      if (round.rateOfAll() < ALONE * knownRate) {
        knownRate *= FORGETTING;
        startYielding(round);
        return;
      }
      if (newLoss) {
        noteLoss();
      }
      mode = Mode.STEERING;
      modeSince = now;
      nextDrain = now + DRAIN_EVERY_MICROS / 5;
      cut(round);
      settlesAt = now + 2 * rttMicros;
      return;
    }
    if ((limited || !clean) && now >= settlesAt) {
      // Near what the path is known to carry smaller steps: a rival may be using half of it.
      double step = lookingAgain && windowBytes > knownBytes() * 0.45 ? 1.25 : isLong() ? 1.5 : 2;
      double seen = (isLong() ? 1.75 : 2.5) * recentPeakBytes;
      windowBytes = Math.max(windowBytes, Math.min(step * windowBytes, seen));
      settlesAt = now + rttMicros * 3 / 2; // it opens in one, and shows in the next
    }
  }

  /**
   * What a sender is allowed at once it sends at once: on a long path its packets stay together,
   * and what is added to them waits in one place. Few buffers are shorter than what is long here.
   */
  private boolean isLong() {
    return base.micros() > LONG_MICROS;
  }

  /**
   * The queue that ends a ramp: what is wanted, but on a long path more than a sender's own burst
   * makes, which begins anew with each look.
   */
  private long signMicros() {
    long burst = isLong() ? base.micros() / BURSTS_IN_BASE : 0;
    return Math.max(targetMicros(), Math.min(MOST_TARGET_MICROS, burst));
  }

  private void steer(Round round, boolean limited, boolean newLoss) {
    long queue = queueMicros();
    long target = targetMicros();
    squeezedRounds = isSqueezed(round) && now > settlesAt ? squeezedRounds + 1 : 0;
    fallingRounds = queue > target && round.rateOfAll() < lastRateOfAll ? fallingRounds + 1 : 0;
    lastRateOfAll = round.rateOfAll();
    boolean falls =
        fallingRounds >= (isLong() ? FALLING_ROUNDS_IF_LONG : FALLING_ROUNDS)
            && round.rateOfAll() < FALLEN * knownRate;
    if (falls || squeezedRounds >= SQUEEZED_ROUNDS) {
      if (lookingAgain) {
        knownRate *= FORGETTING;
      }
      startYielding(round);
      return;
    }
    if (newLoss && queue > target / 2) {
      noteLoss();
    }
    if (queue > target) {
      emptyRounds = 0;
      if (badRounds == 0) {
        cutQueueMicros = queue;
        settlesAt = now + 2 * rttMicros;
      }
      badRounds++;
      boolean stays = queue > Math.max(2 * target, cutQueueMicros / 2) && now > settlesAt;
      if (stays) {
        startYielding(round);
        return;
      }
      cut(round);
      return;
    }
    badRounds = 0;
    if (now - modeSince > PROBATION_MICROS) {
      waitMicros = LEAST_WAIT_MICROS;
      lookingAgain = false;
    }
    if (now >= nextDrain) {
      mode = Mode.DRAINING;
      modeSince = now;
      windowBytes = 0.75 * rate * base.micros() / 1e6;
      return;
    }
    if (queue > target / 2) {
      emptyRounds = 0;
      windowBytes = Math.max(windowBytes, wanted());
    } else if (limited && now >= settlesAt) {
      emptyRounds++;
      double gain = Math.min(1, Math.scalb(1.0, emptyRounds - 4)); // 1/8, 1/4, 1/2, 1
      gain *= 1 - round.excess();
      windowBytes = Math.max(windowBytes, Math.min(wanted() * (1 + gain), 2 * recentPeakBytes));
      settlesAt = now + 2 * rttMicros;
    }
  }

  private void drain() {
    if (now - modeSince >= 2 * base.micros()) {
      mode = Mode.STEERING;
      modeSince = now - PROBATION_MICROS;
      nextDrain = now + DRAIN_EVERY_MICROS;
      windowBytes = knownRate * (base.micros() + targetMicros()) / 1e6;
      settlesAt = now + 2 * rttMicros;
    }
  }

  private void look(Round round) {
    windowBytes = leastBytes(round);
    if (queueMicros() > targetMicros() / 2 + 1_000 || round.lossy()) {
      emptySince = Long.MIN_VALUE;
      return;
    }
    if (emptySince == Long.MIN_VALUE) {
      emptySince = now;
    }
    if (now - emptySince >= Math.max(waitMicros, rttMicros)) {
      mode = Mode.RAMPING;
      modeSince = now;
      windowBytes = Math.max(4.0 * round.packetBytes(), knownBytes() / 8);
      recentPeakBytes = windowBytes;
      settlesAt = now + rttMicros * 3 / 2;
      lookingAgain = true;
    }
  }

  private void startYielding(Round round) {
    waitMicros = Math.min(2 * waitMicros, MOST_WAIT_MICROS);
    mode = Mode.YIELDING;
    modeSince = now;
    badRounds = 0;
    squeezedRounds = 0;
    fallingRounds = 0;
    emptyRounds = 0;
    emptySince = Long.MIN_VALUE;
    windowBytes = leastBytes(round);
  }

  /**
   * The window that makes the queue that is wanted, of what arrives now: cutting twice changes
   * nothing.
   */
  private void cut(Round round) {
    // Who has more than the owner's others leaves them some of the queue, and never of the link.
    double share = Math.max(rate * base.micros() / 1e6, wanted() * (1 - SHARING * round.excess()));
    windowBytes = Math.min(windowBytes, share);
  }

  /** The link is full, and this is not what fills it. */
  private boolean isSqueezed(Round round) {
    return queueMicros() > targetMicros() / 2 && round.rateOfAll() < SQUEEZED * knownRate;
  }

  /** What the path holds when nothing waits, as far as is known. */
  private double knownBytes() {
    return knownRate * base.micros() / 1e6;
  }

  private double wanted() {
    return rate * (base.micros() + targetMicros()) / 1e6;
  }

  private void noteLoss() {
    // Half of what was too much for the buffer.
    lossTargetMicros =
        Math.max(LEAST_TARGET_MICROS / 2, Math.min(lossTargetMicros, queueMicros() / 2));
  }

  /** The queue that is wanted, in microseconds. */
  public long targetMicros() {
    long own = Math.max(LEAST_TARGET_MICROS, base.micros() / TARGETS_IN_BASE);
    return Math.min(
        lossTargetMicros,
        chosenTargetMicros > 0 ? chosenTargetMicros : Math.min(MOST_TARGET_MICROS, own));
  }

  /** One packet for each connection, for a kernel that is offered less sends tiny ones. */
  private static double leastBytes(Round round) {
    return (double) round.packetBytes() * Math.max(1, round.connections());
  }

  /**
   * Whether a round trip is the sign that ends a look: a rival loses less the sooner it is heeded.
   */
  boolean endsLook(long sampleMicros) {
    return mode == Mode.RAMPING && lookingAgain && sampleMicros > base.micros() + 2 * signMicros();
  }

  /** What all connections together may have in flight; 0 before the first round. */
  public long windowBytes() {
    return (long) windowBytes;
  }

  /** Least round trip that is known, in microseconds; 0 before the first. */
  public long baseRttMicros() {
    return base.micros();
  }

  /** The last round's round trip, in microseconds; 0 before the first. */
  public long rttMicros() {
    return rttMicros;
  }

  /** What the last round carried, in bytes a second. */
  public long bytesPerSecond() {
    return (long) rate;
  }

  /** Whether others were seen on the path. */
  public boolean yielding() {
    return mode == Mode.YIELDING;
  }

  Mode mode() {
    return mode;
  }

  /** What waits before this flow's packets, as far as it is more than they need themselves. */
  private long queueMicros() {
    return Math.max(0, rttMicros - base.micros() - ownPacketMicros());
  }

  /**
   * A slow link sends a full packet for longer than the small ones of the handshake, from which the
   * base is known: without this, four packets of 2 ms looked like a queue and were all there was.
   */
  private long ownPacketMicros() {
    return knownRate == 0
        ? 0
        : (long) Math.min(LEAST_TARGET_MICROS / 2.0, packetBytes * 1e6 / knownRate);
  }
}
