package ebb.ledbat.congestion;

/**
 * A controller with a weight that may change while data flows, after the Dynamic Transport Library
 * (Reale, Roverso, El-Ansary and Haridi, ICDCN 2012): weight 0 gives way to everybody by delay,
 * weight N from 1 on takes what N TCP connections would (MulTCP, Crowcroft and Oechslin 1998). Owns
 * how the window changes.
 *
 * <p>The paper's own weights and switching rule were not found; docs/controllers.md says what is
 * taken from where.
 */
final class DtlController extends WindowController {
  static final String NAME = "dtl";

  /** Less than best effort. */
  static final double YIELDING = 0;

  private static final double MAX_WEIGHT = 100;

  static final String WEIGHTS = "0 (less than best effort) or between 1 and 100";

  /** What each packet acknowledged above TARGET leaves of the window. */
  private static final double DECREASE_PER_PACKET = 0.99;

  /** What a decrease leaves of what fills the path, at least: the rest lets the queue empty. */
  private static final double DRAINING_PART = 0.75;

  /** Slow start of a yielding connection ends at this part of TARGET. */
  private static final int SLOW_START_QUEUE_DIVISOR = 4;

  private final SlowStart slowStart;
  private boolean wasSlowStart;

  /** A yielding connection's decrease: never below this, until it has had time to show. */
  private double decreaseFloor;

  private long decreaseEndsMicros = Long.MIN_VALUE;
  private long decreaseShowsMicros = Long.MIN_VALUE;

  private double weight = YIELDING;

  DtlController(LedbatParameters parameters, int mssBytes) {
    super(parameters, mssBytes, false);
    slowStart = new SlowStart(parameters.slowStart());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String state() {
    return slowStart.state(cwnd);
  }

  double weight() {
    return weight;
  }

  /**
   * Counts from the next acknowledgement. The window stays: a larger weight grows from it, and a
   * smaller one lowers it only by its own rules.
   */
  @Override
  public void setWeight(double weight) {
    this.weight = weight;
    if (started()) {
      slowStart.end();
    }
  }

  static boolean isWeight(double weight) {
    return weight == YIELDING || (weight >= 1 && weight <= MAX_WEIGHT);
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    super.takeOver(cwndBytes, smoothedRttMicros, nowMicros);
    slowStart.end();
  }

  @Override
  void onAcked(long ackedBytes, long flightSizeBytes, long nowMicros) {
    if (weight == YIELDING) {
      onAckedYielding(ackedBytes, flightSizeBytes, nowMicros);
    } else if (usesWindow(flightSizeBytes)) {
      // MulTCP: N connections together add N segments a round trip; each doubles in slow start.
      cwnd =
          slowStart.isRunning(cwnd)
              ? slowStart.grown(cwnd, ackedBytes)
              : cwnd + weight * mssBytes() * ackedBytes / cwnd;
    }
    cwnd = Math.max(cwnd, minCwndBytes());
  }

  private void onAckedYielding(long ackedBytes, long flightSizeBytes, long nowMicros) {
    if (!signal().isKnown()) {
      return;
    }
    long queueMicros = queuingDelayMicros();
    if (queueMicros > targetDelayMicros() / SLOW_START_QUEUE_DIVISOR) {
      slowStart.end();
    }
    if (slowStart.isRunning(cwnd)) {
      if (usesWindow(flightSizeBytes)) {
        cwnd = slowStart.grown(cwnd, ackedBytes);
      }
      return;
    }
    if (queueMicros > targetDelayMicros()) {
      decrease(ackedBytes, nowMicros);
    } else {
      double offTarget = (targetDelayMicros() - queueMicros) / (double) targetDelayMicros();
      cwnd += offTarget * mssBytes() * ackedBytes / cwnd;
    }
    // R8. RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS".
    cwnd = Math.min(cwnd, flightSizeBytes + parameters.allowedIncreaseMss() * mssBytes());
  }

  /**
   * One hundredth for each packet, but no more in a round trip than {@link #decreaseFloorBytes}
   * lets it, and then not again before a round trip has shown what that changed: 0.99 to the power
   * of a window of 4,000 packets, all of them sent before the first of their acknowledgements, is
   * nothing.
   */
  private void decrease(long ackedBytes, long nowMicros) {
    if (nowMicros >= decreaseShowsMicros) {
      decreaseFloor = Math.max(decreaseFloorBytes(), minCwndBytes());
      decreaseEndsMicros = nowMicros + rttMicros();
      decreaseShowsMicros = decreaseEndsMicros + rttMicros();
    }
    if (nowMicros < decreaseEndsMicros) {
      // StrictMath: the same bits on every machine.
      double left = StrictMath.pow(DECREASE_PER_PACKET, (double) ackedBytes / mssBytes());
      cwnd = Math.max(cwnd * left, Math.min(cwnd, decreaseFloor));
    }
  }

  /**
   * Half of the window, or less where the path without a queue holds less than half: the queue has
   * to empty, or a connection that joined later takes what it found for the path's delay, and the
   * others, which know better, see more than TARGET for ever.
   */
  private double decreaseFloorBytes() {
    double pathPart = minRttMicros() == 0 ? 1 : minRttMicros() / (double) rttMicros();
    return cwnd * Math.min(0.5, DRAINING_PART * pathPart);
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    if (!mayReduce(smoothedRttMicros, nowMicros)) {
      return;
    }
    wasSlowStart = slowStart.isRunning(cwnd);
    if (weight == YIELDING && nowMicros < decreaseShowsMicros) {
      cwnd = Math.min(cwnd, decreaseFloor); // The same queue overflowed for which it is reduced.
      return;
    }
    double left = keptByLoss();
    slowStart.end();
    cwnd = Math.min(cwnd, Math.max(cwnd * left, minCwndBytes()));
  }

  @Override
  void onReductionUndone() {
    if (wasSlowStart) {
      slowStart.restart();
    }
  }

  /** MulTCP: of N connections one halves its part, so that (N - 1/2) / N is left. */
  private double keptByLoss() {
    // Slow start overshoots by up to a factor of two whatever the weight.
    boolean asOne = weight == YIELDING || slowStart.isRunning(cwnd);
    return asOne ? 0.5 : (weight - 0.5) / weight;
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    if (started() && parameters.slowStart()) {
      slowStart.restart(Math.max(cwnd * keptByLoss(), minCwndBytes()));
    }
    collapse();
  }
}
