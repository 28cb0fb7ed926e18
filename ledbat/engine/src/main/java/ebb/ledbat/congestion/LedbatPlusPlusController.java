package ebb.ledbat.congestion;

/**
 * LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus): additive increase scaled to the path, decrease in
 * proportion to the window, and slowdowns in which every flow sees the empty path. The queuing
 * delay is that of round trips. Owns how the window changes; when slowdowns happen is {@link
 * SlowdownSchedule}'s.
 *
 * <p>{@code gain} and {@code slowStart} of the parameters are RFC 6817's and have no say here.
 */
final class LedbatPlusPlusController extends WindowController {
  static final String NAME = "ledbat++";

  /** LEDBAT++, 4.5: "LEDBAT++ default delay target of 60ms". */
  static final long TARGET_DELAY_MICROS = 60_000;

  /** LEDBAT++, 4.2: "GAIN = 1 / (min (16, CEIL (2*TARGET/base)))". */
  private static final int MAX_GAIN_DIVISOR = 16;

  /** Section 4.3: the "Constant" of the decrease, of which the draft recommends 1. */
  private static final double DECREASE = 1;

  /** LEDBAT++, 4.4: "reduce CWND to 2 packets". */
  private static final int SLOWDOWN_CWND_MSS = 2;

  private enum Phase {
    /** The first slow start; it ends when a queue shows. */
    INITIAL_SLOW_START("slow_start"),
    AVOIDANCE("avoidance"),
    /** A slowdown's first part: two packets. */
    FROZEN("slowdown"),
    /** Slow start up to the threshold, after a slowdown's first part or a timeout. */
    RAMP("ramp");

    final String state;

    Phase(String state) {
      this.state = state;
    }
  }

  private final SlowdownSchedule slowdowns = new SlowdownSchedule();
  private Phase phase = Phase.INITIAL_SLOW_START;
  private double threshold = Double.MAX_VALUE;

  /** The window when the round trip began in which a long queue lowers it, and when that was. */
  private double windowBefore;

  private long decreaseMicros = Long.MIN_VALUE;

  /** When the last loss was told. */
  private Phase phaseAtLoss = Phase.INITIAL_SLOW_START;

  private double thresholdAtLoss;

  LedbatPlusPlusController(LedbatParameters parameters, int mssBytes) {
    super(parameters, mssBytes, true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    return phase.state;
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    super.takeOver(cwndBytes, smoothedRttMicros, nowMicros);
    phase = Phase.AVOIDANCE;
    threshold = cwnd;
  }

  /** LEDBAT++, 4.2: "GAIN = 1 / (min (16, CEIL (2*TARGET/base)))". */
  double gain() {
    long baseMicros = signal().baseMicros();
    if (baseMicros == 0) {
      return 1.0 / MAX_GAIN_DIVISOR; // Nothing is known of the path yet.
    }
    double divisor = Math.ceil(2.0 * targetDelayMicros() / baseMicros);
    return 1 / Math.min(MAX_GAIN_DIVISOR, Math.max(1, divisor));
  }

  @Override
  void onAcked(long ackedBytes, long flightSizeBytes, long nowMicros) {
    switch (phase) {
      case INITIAL_SLOW_START -> {
        // LEDBAT++, 4.1: "If the queuing delay is larger than 3/4ths of the target delay, exit slow
        // start and immediately move to the congestion avoidance phase"
        if (4 * queuingDelayMicros() > 3 * targetDelayMicros()) {
          avoid(nowMicros);
        } else {
          growExponentially(ackedBytes, flightSizeBytes, nowMicros);
        }
      }
      case AVOIDANCE -> {
        if (slowdowns.isDue(rttMicros(), nowMicros)) {
          slowDown(nowMicros);
        } else {
          steer(ackedBytes, flightSizeBytes, nowMicros);
        }
      }
      case FROZEN -> {
        // LEDBAT++, 4.4: "frozen at 2 packets for 2 RTT".
        cwnd = slowdownCwndBytes();
        if (!usesWindow(flightSizeBytes)) {
          slowdowns.onUnused(nowMicros);
        }
        if (slowdowns.isThawed(nowMicros)) {
          phase = Phase.RAMP;
        }
      }
      case RAMP -> growExponentially(ackedBytes, flightSizeBytes, nowMicros);
    }
  }

  /** Section 4.1: slow start grows by the bytes acknowledged, multiplied by GAIN. */
  private void growExponentially(long ackedBytes, long flightSizeBytes, long nowMicros) {
    // A flow without delay samples would not see the queue. A ramp ends at a known window, and it
    // may consist of retransmissions, which give no samples of round trips.
    boolean sees = phase == Phase.RAMP || signal().isKnown();
    if (sees && usesWindow(flightSizeBytes)) {
      cwnd = Math.min(cwnd + gain() * ackedBytes, threshold);
    } else {
      slowdowns.onUnused(nowMicros);
    }
    cwnd = Math.max(cwnd, minCwndBytes());
    slowdowns.onAck(nowMicros);
    // LEDBAT++, 4.4: "ramp up the congestion window according to the slow start algorithm, until
    // the congestion window reaches SSTHRESH".
    if (cwnd >= threshold) {
      avoid(nowMicros);
    }
  }

  /** Section 4.3: additive increase, multiplicative decrease, each spread over a round trip. */
  private void steer(long ackedBytes, long flightSizeBytes, long nowMicros) {
    if (signal().isKnown()) {
      double window = cwnd / mssBytes();
      double overTarget = (double) queuingDelayMicros() / targetDelayMicros() - 1;
      double change = gain();
      double lowest = 0;
      if (overTarget > 0) {
        noteDecrease(nowMicros);
        lowest = Math.min(cwnd, windowBefore / 2);
        // LEDBAT++, 4.3: "W += max( (GAIN - Constant * W * (delay/target - 1)), -W/2) )".
        change = Math.max(change - DECREASE * window * overTarget, -window / 2);
      }
      cwnd = Math.max(cwnd + change * mssBytes() * Math.min(1, ackedBytes / cwnd), lowest);
    }
    // R8. RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS;
    // cwnd = min(cwnd, max_allowed_cwnd)"
    cwnd = Math.min(cwnd, flightSizeBytes + parameters.allowedIncreaseMss() * mssBytes());
    cwnd = Math.max(cwnd, minCwndBytes());
  }

  private void noteDecrease(long nowMicros) {
    if (!isDecreasing(nowMicros)) {
      decreaseMicros = nowMicros;
      windowBefore = cwnd;
    }
  }

  private boolean isDecreasing(long nowMicros) {
    return decreaseMicros != Long.MIN_VALUE && nowMicros - decreaseMicros < rttMicros();
  }

  private void slowDown(long nowMicros) {
    // LEDBAT++, 4.4: "set SSTHRESH to the current version of the congestion window CWND, and then
    // reduce CWND to 2 packets."
    threshold = cwnd;
    cwnd = slowdownCwndBytes();
    phase = Phase.FROZEN;
    slowdowns.onBegin(rttMicros(), nowMicros);
  }

  private void avoid(long nowMicros) {
    phase = Phase.AVOIDANCE;
    slowdowns.onAvoidance(rttMicros(), nowMicros);
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    if (!mayReduce(smoothedRttMicros, nowMicros)) {
      return;
    }
    phaseAtLoss = phase;
    thresholdAtLoss = threshold;
    // R9 holds here too. RFC 6817, 2.4.2: "cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))".
    if (phase == Phase.FROZEN) {
      // What was lost belongs to the window before the slowdown, to which the ramp would return.
      threshold = Math.max(threshold / 2, minCwndBytes());
    } else {
      // What the queue has taken in this round trip counts as part of that half, since the loss
      // tells of the same queue (docs/deviations.md).
      double before = isDecreasing(nowMicros) ? windowBefore : cwnd;
      noteDecrease(nowMicros);
      cwnd = Math.min(cwnd, Math.max(before / 2, minCwndBytes()));
      if (phase != Phase.AVOIDANCE) {
        avoid(nowMicros);
      }
    }
  }

  @Override
  void onReductionUndone() {
    decreaseMicros = Long.MIN_VALUE;
    if (phase == Phase.AVOIDANCE) {
      if (phaseAtLoss == Phase.INITIAL_SLOW_START || phaseAtLoss == Phase.RAMP) {
        phase = phaseAtLoss;
        threshold = thresholdAtLoss;
        slowdowns.onAvoidanceUndone();
      }
    } else {
      // A slowdown, under way or begun since: it ends at the window before the loss.
      threshold = Math.max(threshold, phaseAtLoss == Phase.FROZEN ? thresholdAtLoss : cwnd);
    }
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    // RFC 5681, 3.1: "ssthresh = max (FlightSize / 2, 2*SMSS)"; a handshake that timed
    // out says nothing of the path, and slow start is still the first.
    if (started()) {
      double before = phase == Phase.FROZEN ? threshold : cwnd;
      threshold = Math.max(before / 2, minCwndBytes());
      phase = Phase.RAMP;
    }
    collapse();
  }

  private double slowdownCwndBytes() {
    return Math.min(threshold, (double) SLOWDOWN_CWND_MSS * mssBytes());
  }
}
