package ebb.ledbat.congestion;

/**
 * RFC 6817, exactly: a linear controller that steers the queuing delay towards TARGET. Owns cwnd
 * and the delay history of one connection; flightsize, the round-trip estimate and the congestion
 * timeout belong to the connection.
 *
 * <p>cwnd is kept with its fraction, so that increases of less than a byte add up, and {@link
 * #cwndBytes} rounds down. Not thread-safe.
 */
final class LedbatController implements CongestionController {
  static final String NAME = "ledbat";

  /** Stands for one round trip before the first was measured: RFC 6817's first CTO, "1 second". */
  private static final long UNKNOWN_RTT_MICROS = 1_000_000;

  /** Slow start ends at this part of TARGET. */
  private static final int SLOW_START_QUEUE_DIVISOR = 4;

  private final LedbatParameters parameters;
  private final BaseDelayHistory baseDelays;
  private final CurrentDelayFilter currentDelays;

  private int mssBytes;
  private double cwnd;
  private boolean started;
  private long targetDelayMicros;
  private long currentDelayMicros = CurrentDelayFilter.NONE;
  private long rttMicros = UNKNOWN_RTT_MICROS;
  private boolean slowStarting;
  private double slowStartThreshold = Double.MAX_VALUE;
  private boolean hasReduced;
  private long lastReductionMicros;

  LedbatController(LedbatParameters parameters, int mssBytes) {
    this.parameters = parameters;
    this.mssBytes = checkMss(mssBytes);
    targetDelayMicros = parameters.targetDelayMicros();
    baseDelays = new BaseDelayHistory(parameters.baseHistoryMinutes());
    currentDelays = new CurrentDelayFilter(parameters.currentFilterSamples());
    // R14. RFC 6817, 2.2: "conservative congestion control implementations employing LEDBAT may
    // skip slow start altogether and start with an initial window of INIT_CWND * MSS."
    slowStarting = parameters.slowStart();
    cwnd = initialWindowBytes();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public long cwndBytes() {
    return (long) cwnd;
  }

  @Override
  public long targetDelayMicros() {
    return targetDelayMicros;
  }

  @Override
  public void setTargetDelayMicros(long targetDelayMicros) {
    this.targetDelayMicros = LedbatParameters.checkTargetDelay(targetDelayMicros);
  }

  @Override
  public void setMssBytes(int mssBytes) {
    this.mssBytes = checkMss(mssBytes);
    if (!started) {
      // RFC 5681, 3.1, of the initial window: "cwnd SHOULD be reduced by the ratio of the old
      // segment size to the new segment size."
      cwnd = initialWindowBytes();
    }
    // After a congestion timeout cwnd may be one small segment: one of the new size must fit.
    cwnd = Math.max(cwnd, mssBytes);
  }

  @Override
  public void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    // R7. RFC 6817, 2.4.2: "for each delay sample in the acknowledgment: delay =
    // acknowledgement.delay; update_base_delay(delay); update_current_delay(delay)"
    baseDelays.onSample(oneWayDelayMicros, nowMicros);
    currentDelays.onSample(oneWayDelayMicros, nowMicros);
    filter(smoothedRttMicros, nowMicros);
  }

  @Override
  public void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    filter(smoothedRttMicros, nowMicros);
    if (slowStarting && growExponentially(ackedBytes, flightSizeBytes)) {
      return;
    }
    if (hasQueuingDelay()) {
      // R7. RFC 6817, 2.4.2: "queuing_delay = FILTER(current_delays) - MIN(base_delays);
      // off_target = (TARGET - queuing_delay) / TARGET"
      double offTarget = (targetDelayMicros - queuingDelayMicros()) / (double) targetDelayMicros;
      // R7. RFC 6817, 2.4.2: "cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd"
      cwnd += parameters.gain() * offTarget * ackedBytes * mssBytes / cwnd;
    }
    // R8. RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS;
    // cwnd = min(cwnd, max_allowed_cwnd)"
    cwnd = Math.min(cwnd, flightSizeBytes + parameters.allowedIncreaseMss() * mssBytes);
    // R8. RFC 6817, 2.4.2: "cwnd = max(cwnd, MIN_CWND * MSS)"
    cwnd = Math.max(cwnd, minCwndBytes());
  }

  /**
   * RFC 5681, 3.1: "During slow start, a TCP increments cwnd by at most SMSS bytes for each ACK
   * received", counted in bytes, for one of our acknowledgements stands for many packets. It ends
   * for good when a queue shows: what is on its way by then brings it near TARGET.
   *
   * @return false when slow start is over
   */
  private boolean growExponentially(long ackedBytes, long flightSizeBytes) {
    boolean queueShows =
        hasQueuingDelay() && queuingDelayMicros() > targetDelayMicros / SLOW_START_QUEUE_DIVISOR;
    if (queueShows || cwnd >= slowStartThreshold) {
      slowStarting = false;
      return false;
    }
    // A flow that does not use its window learns nothing of the path; one without delay samples
    // would not see the queue.
    if (hasQueuingDelay() && 2 * flightSizeBytes >= cwndBytes()) {
      cwnd = Math.min(cwnd + ackedBytes, slowStartThreshold);
    }
    cwnd = Math.max(cwnd, minCwndBytes());
    return true;
  }

  @Override
  public void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    slowStarting = false;
    setRtt(smoothedRttMicros);
    // R9. RFC 6817, 2.4.2: "on data loss: # at most once per RTT"
    if (hasReduced && nowMicros - lastReductionMicros < rttMicros) {
      return;
    }
    hasReduced = true;
    lastReductionMicros = nowMicros;
    // R9. RFC 6817, 2.4.2: "cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))"
    cwnd = Math.min(cwnd, Math.max(cwnd / 2, minCwndBytes()));
  }

  @Override
  public void onCongestionTimeout(long nowMicros) {
    // R10. RFC 6817, 2.4.2: "if no ACKs are received within a CTO: # extreme congestion, or
    // significant RTT change. # set cwnd to 1MSS and backoff the congestion timer. cwnd = 1 * MSS"
    // MIN_CWND does not apply here; it comes back with the next acknowledgement (R8).
    if (parameters.slowStart()) {
      // RFC 5681, 3.1, equation 4: "ssthresh = max (FlightSize / 2, 2*SMSS)"; a handshake that
      // timed
      // out says nothing of the path.
      slowStartThreshold = started ? Math.max(cwnd / 2, minCwndBytes()) : slowStartThreshold;
      slowStarting = true;
    }
    started = true;
    cwnd = mssBytes;
  }

  @Override
  public void onIdleEnd(long idleMicros, long nowMicros) {
    // R11. RFC 6817, 2.4.2: "LEDBAT thus requires that during idle periods, an implementation must
    // maintain the base delay list."
    baseDelays.advance(nowMicros);
    // R6 and R11: what is older than a round trip is no current delay any more.
    currentDelayMicros = currentDelays.minimumMicros(nowMicros, rttMicros);
    if (baseDelays.isEmpty()) {
      // R11. RFC 6817, 2.4.2: "If the connection has been idle for BASE_HISTORY minutes, all minima
      // in the list are thus set to +INFINITY and measurement begins anew." So does cwnd: of what
      // the path carries now, nothing is known (docs/deviations.md).
      cwnd = Math.min(cwnd, initialWindowBytes());
    }
  }

  @Override
  public long currentDelayMicros() {
    return currentDelayMicros == CurrentDelayFilter.NONE ? 0 : currentDelayMicros;
  }

  @Override
  public long baseDelayMicros() {
    return baseDelays.isEmpty() ? 0 : baseDelays.minimumMicros();
  }

  @Override
  public long queuingDelayMicros() {
    // RFC 6817, 4.2: "the queueing delay estimate is non-negative". The filter may still hold a
    // sample of a minute that has just left the history, so that the plain difference is not.
    return hasQueuingDelay() ? Math.max(0, currentDelayMicros - baseDelays.minimumMicros()) : 0;
  }

  private boolean hasQueuingDelay() {
    return currentDelayMicros != CurrentDelayFilter.NONE && !baseDelays.isEmpty();
  }

  private void filter(long smoothedRttMicros, long nowMicros) {
    setRtt(smoothedRttMicros);
    currentDelayMicros = currentDelays.minimumMicros(nowMicros, rttMicros);
  }

  private void setRtt(long smoothedRttMicros) {
    rttMicros = smoothedRttMicros > 0 ? smoothedRttMicros : UNKNOWN_RTT_MICROS;
  }

  private double initialWindowBytes() {
    // R4. RFC 6817, 2.4.2: "cwnd = INIT_CWND * MSS" and 2.5: "INIT_CWND and MIN_CWND MUST be no
    // larger than the corresponding values specified for TCP [RFC5681]."
    int segments = Math.min(parameters.initCwndMss(), tcpInitialWindowMss(mssBytes));
    return (double) segments * mssBytes;
  }

  /**
   * RFC 5681, 3.1: "If SMSS > 2190 bytes: IW = 2 * SMSS bytes ... If (SMSS > 1095 bytes) and (SMSS
   * <= 2190 bytes): IW = 3 * SMSS bytes ... if SMSS <= 1095 bytes: IW = 4 * SMSS bytes".
   */
  private static int tcpInitialWindowMss(int mssBytes) {
    if (mssBytes > 2_190) {
      return 2;
    }
    return mssBytes > 1_095 ? 3 : 4;
  }

  private double minCwndBytes() {
    return (double) parameters.minCwndMss() * mssBytes;
  }

  private static int checkMss(int mssBytes) {
    if (mssBytes < 1) {
      throw new IllegalArgumentException("mssBytes must be at least 1: " + mssBytes);
    }
    return mssBytes;
  }
}
