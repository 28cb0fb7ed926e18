package ebb.ledbat.congestion;

/**
 * What the controllers here share: the window in bytes with its fraction, the segment size, TARGET,
 * the queuing delay, and that a window is reduced at most once per round trip. How the window grows
 * and shrinks is the subclasses'.
 *
 * <p>Increases of less than a byte add up; {@link #cwndBytes} rounds down. Not thread-safe.
 */
abstract class WindowController implements CongestionController {
  /** Stands for one round trip before the first was measured. RFC 6817, 2.4.2: "CTO = 1 second". */
  private static final long UNKNOWN_RTT_MICROS = 1_000_000;

  final LedbatParameters parameters;

  /**
   * The window; subclasses change it within an acknowledgement, a loss or a timeout.
   *
   * <p>RFC 6817, 2.2: "A sender MAY maintain its cwnd in bytes or in packets".
   */
  double cwnd;

  private final DelaySignal signal;
  private final boolean byRoundTrips;
  private int mssBytes;
  private boolean started;
  private long targetDelayMicros;
  private long minRttMicros;
  private long rttMicros = UNKNOWN_RTT_MICROS;
  private boolean hasReduced;
  private long lastReductionMicros;

  /** The window before the last reduction; 0 when it is not to be taken back. */
  private double cwndBeforeLoss;

  /**
   * A controller with the initial window.
   *
   * @param byRoundTrips whether the queuing delay is that of round trips, not of one-way delays
   */
  WindowController(LedbatParameters parameters, int mssBytes, boolean byRoundTrips) {
    this.parameters = parameters;
    this.mssBytes = checkMss(mssBytes);
    this.byRoundTrips = byRoundTrips;
    targetDelayMicros = parameters.targetDelayMicros();
    signal = new DelaySignal(parameters.baseHistoryMinutes(), parameters.currentFilterSamples());
    cwnd = initialWindowBytes();
  }

  /** What this controller knows of the queue. */
  final DelaySignal signal() {
    return signal;
  }

  /** One acknowledgement; {@link #signal()} is up to date. */
  abstract void onAcked(long ackedBytes, long flightSizeBytes, long nowMicros);

  /** Whether a window of this connection has been used; false while the first one is unused. */
  final boolean started() {
    return started;
  }

  final int mssBytes() {
    return mssBytes;
  }

  final long rttMicros() {
    return rttMicros;
  }

  /** The shortest round trip that was measured; 0 while none was. */
  final long minRttMicros() {
    return minRttMicros;
  }

  @Override
  public void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    setRtt(smoothedRttMicros);
    cwnd = Math.max(cwndBytes, mssBytes);
  }

  @Override
  public final long cwndBytes() {
    return (long) cwnd;
  }

  @Override
  public final long targetDelayMicros() {
    return targetDelayMicros;
  }

  @Override
  public final void setTargetDelayMicros(long targetDelayMicros) {
    this.targetDelayMicros = LedbatParameters.checkTargetDelay(targetDelayMicros);
  }

  @Override
  public final void setMssBytes(int mssBytes) {
    this.mssBytes = checkMss(mssBytes);
    if (!started) {
      // The initial window. RFC 5681, 3.1: "cwnd SHOULD be reduced by the ratio of the old
      // segment size to the new segment size."
      cwnd = initialWindowBytes();
    }
    // RFC 8899, 3: "An update to the PLPMTU (or MPS) MUST NOT increase the congestion window
    // measured in bytes". But after a congestion timeout cwnd may be one small segment: one of the
    // new size must fit.
    cwnd = Math.max(cwnd, mssBytes);
  }

  @Override
  public final void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros) {
    setRtt(smoothedRttMicros);
    if (!byRoundTrips) {
      signal.onSample(oneWayDelayMicros, rttMicros, nowMicros);
    }
  }

  @Override
  public final void onRttSample(long sampleMicros, long nowMicros) {
    minRttMicros = minRttMicros == 0 ? sampleMicros : Math.min(minRttMicros, sampleMicros);
    if (byRoundTrips) {
      signal.onSample(sampleMicros, rttMicros, nowMicros);
    }
  }

  @Override
  public final void onAck(
      long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros) {
    started = true;
    setRtt(smoothedRttMicros);
    // R7. RFC 6817, 2.4.2: "The cwnd is adjusted based on the total number of bytes ACKed and the
    // final filtered value of queueing_delay, irrespective of the number of delay samples in an
    // ACK."
    signal.filter(rttMicros, nowMicros);
    onAcked(ackedBytes, flightSizeBytes, nowMicros);
  }

  /** Whether a loss counts: R9. RFC 6817, 2.4.2: "on data loss: # at most once per RTT". */
  final boolean mayReduce(long smoothedRttMicros, long nowMicros) {
    started = true;
    setRtt(smoothedRttMicros);
    cwndBeforeLoss = 0;
    if (hasReduced && nowMicros - lastReductionMicros < rttMicros) {
      return false;
    }
    cwndBeforeLoss = cwnd;
    hasReduced = true;
    lastReductionMicros = nowMicros;
    return true;
  }

  @Override
  public final void onSpuriousLoss(long lostBytes, long nowMicros) {
    if (cwndBeforeLoss > 0) {
      cwnd = Math.max(cwnd, cwndBeforeLoss);
      cwndBeforeLoss = 0;
      hasReduced = false;
      onReductionUndone();
    }
  }

  /** cwnd is again what it was before the last loss that {@link #mayReduce} let count. */
  abstract void onReductionUndone();

  /** cwnd = 1 MSS, whoever asks. */
  final void collapse() {
    // R10. RFC 6817, 2.4.2: "if no ACKs are received within a CTO: # extreme congestion, or
    // significant RTT change. # set cwnd to 1MSS and backoff the congestion timer. cwnd = 1 * MSS"
    // RFC 5681, 3.1: "cwnd MUST be set to no more than the loss window, LW, which equals 1
    // full-sized segment (regardless of the value of IW)." MIN_CWND does not apply here; it comes
    // back with the next acknowledgement (R8).
    started = true;
    cwnd = mssBytes;
    cwndBeforeLoss = 0;
  }

  @Override
  public final void onIdleEnd(long idleMicros, long nowMicros) {
    signal.onIdleEnd(rttMicros, nowMicros);
    if (signal.hasNoBase()) {
      // R11. RFC 6817, 2.4.2: "If the connection has been idle for BASE_HISTORY minutes, all minima
      // in the list are thus set to +INFINITY and measurement begins anew." So does cwnd: of what
      // the path carries now, nothing is known (docs/deviations.md).
      cwnd = Math.min(cwnd, initialWindowBytes());
    }
  }

  @Override
  public final long currentDelayMicros() {
    return signal.currentMicros();
  }

  @Override
  public final long baseDelayMicros() {
    return signal.baseMicros();
  }

  @Override
  public final long queuingDelayMicros() {
    return signal.queuingMicros();
  }

  final double initialWindowBytes() {
    // R4. RFC 6817, 2.4.2: "cwnd = INIT_CWND * MSS" and 2.5: "INIT_CWND and MIN_CWND MUST be no
    // larger than the corresponding values specified for TCP [RFC5681]."
    int segments = Math.min(parameters.initCwndMss(), tcpInitialWindowMss(mssBytes));
    return (double) segments * mssBytes;
  }

  final double minCwndBytes() {
    return (double) parameters.minCwndMss() * mssBytes;
  }

  /**
   * Whether the sender uses its window, at least half of it: one that does not learns nothing of
   * the path.
   */
  final boolean usesWindow(long flightSizeBytes) {
    return 2 * flightSizeBytes >= cwndBytes();
  }

  private void setRtt(long smoothedRttMicros) {
    rttMicros = smoothedRttMicros > 0 ? smoothedRttMicros : UNKNOWN_RTT_MICROS;
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

  private static int checkMss(int mssBytes) {
    if (mssBytes < 1) {
      throw new IllegalArgumentException("mssBytes must be at least 1: " + mssBytes);
    }
    return mssBytes;
  }
}
