package ebb.ledbat.congestion;

/**
 * RFC 6817, exactly: a linear controller that steers the queuing delay, measured one way, towards
 * TARGET. Owns how the window changes; flightsize, the round-trip estimate and the congestion
 * timeout belong to the connection.
 */
final class LedbatController extends WindowController {
  static final String NAME = "ledbat";

  /** Slow start ends at this part of TARGET. */
  private static final int SLOW_START_QUEUE_DIVISOR = 4;

  private final SlowStart slowStart;
  private boolean wasSlowStart;

  LedbatController(LedbatParameters parameters, int mssBytes) {
    super(parameters, mssBytes, false);
    // R14. RFC 6817, 2.2: "conservative congestion control implementations employing LEDBAT may
    // skip slow start altogether and start with an initial window of INIT_CWND * MSS."
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

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    super.takeOver(cwndBytes, smoothedRttMicros, nowMicros);
    slowStart.end();
  }

  @Override
  void onAcked(long ackedBytes, long flightSizeBytes, long nowMicros) {
    if (slowStart.isRunning(cwnd) && growExponentially(ackedBytes, flightSizeBytes)) {
      return;
    }
    if (signal().isKnown()) {
      // R7. RFC 6817, 2.4.2: "queuing_delay = FILTER(current_delays) - MIN(base_delays);
      // off_target = (TARGET - queuing_delay) / TARGET"
      double target = targetDelayMicros();
      double offTarget = (targetDelayMicros() - queuingDelayMicros()) / target;
      // R7. RFC 6817, 2.4.2: "cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd"
      // RFC 5681, 3.1: "during congestion avoidance, cwnd MUST NOT be increased by more than SMSS
      // bytes per RTT."
      // RFC 6817, 2.4.2: "bytes_newly_acked is the number of bytes that this ACK newly
      // acknowledges". RFC 6817, 3.2.1: "a LEDBAT flow never ramps up faster than a competing TCP
      // flow over the same path."
      cwnd += parameters.gain() * offTarget * ackedBytes * mssBytes() / cwnd;
    }
    // R8. RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS;
    // cwnd = min(cwnd, max_allowed_cwnd)"
    // R8. RFC 6817, 2.4.2: "When the sender is application-limited, the sender's cwnd is clamped
    // down using max_allowed_cwnd to a little more than flightsize."
    cwnd = Math.min(cwnd, flightSizeBytes + parameters.allowedIncreaseMss() * mssBytes());
    // R8. RFC 6817, 2.4.2: "cwnd = max(cwnd, MIN_CWND * MSS)"
    cwnd = Math.max(cwnd, minCwndBytes());
  }

  /**
   * Slow start; it ends for good when a queue shows: what is on its way by then brings it near
   * TARGET.
   *
   * @return false when it is over
   */
  private boolean growExponentially(long ackedBytes, long flightSizeBytes) {
    boolean known = signal().isKnown();
    if (known && queuingDelayMicros() > targetDelayMicros() / SLOW_START_QUEUE_DIVISOR) {
      slowStart.end();
      return false;
    }
    // A flow without delay samples would not see the queue.
    if (known && usesWindow(flightSizeBytes)) {
      cwnd = slowStart.grown(cwnd, ackedBytes);
    }
    cwnd = Math.max(cwnd, minCwndBytes());
    return true;
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    wasSlowStart = slowStart.isRunning(cwnd);
    slowStart.end();
    if (mayReduce(smoothedRttMicros, nowMicros)) {
      // R9. RFC 6817, 2.4.2: "cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))"
      // BEP 29, packet loss: "When a packet is lost, the max_window is multiplied by 0.5 to mimic
      // TCP."
      // R9. RFC 6817, 3.2.2: "even if the queueing delay estimates indicate otherwise, a loss is
      // assumed to be a strong indication of congestion."
      cwnd = Math.min(cwnd, Math.max(cwnd / 2, minCwndBytes()));
    }
  }

  @Override
  void onReductionUndone() {
    if (wasSlowStart) {
      slowStart.restart();
    }
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    if (!parameters.slowStart()) {
      collapse();
      return;
    }
    // RFC 5681, 3.1: "ssthresh = max (FlightSize / 2, 2*SMSS)"; a handshake that timed
    // out says nothing of the path.
    if (started()) {
      slowStart.restart(Math.max(cwnd / 2, minCwndBytes()));
    } else {
      slowStart.restart();
    }
    collapse();
  }
}
