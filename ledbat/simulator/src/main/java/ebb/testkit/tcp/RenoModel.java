package ebb.testkit.tcp;

/** RFC 5681's window: slow start, additive increase, halving. Named a model: not a kernel's TCP. */
public final class RenoModel implements TcpWindow {
  private final int initialSegments;
  private double cwnd;
  private double ssthresh = Double.MAX_VALUE;

  /** RFC 6928: an initial window of ten segments. */
  public RenoModel() {
    this(10);
  }

  public RenoModel(int initialSegments) {
    this.initialSegments = initialSegments;
    cwnd = initialSegments;
  }

  @Override
  public double cwndSegments() {
    return cwnd;
  }

  @Override
  public boolean inSlowStart() {
    return cwnd < ssthresh;
  }

  @Override
  public void onAck(int segments, long smoothedRttMicros, long nowMicros) {
    // RFC 5681, 3.1: "cwnd += min (N, SMSS)" in slow start, "cwnd += SMSS*SMSS/cwnd" after it,
    // both per acknowledgement, however much it acknowledges.
    cwnd += inSlowStart() ? 1 : 1 / cwnd;
  }

  @Override
  public void onLoss(long flightSegments, long nowMicros) {
    // RFC 5681, 3.1: "ssthresh = max (FlightSize / 2, 2*SMSS)".
    ssthresh = Math.max(flightSegments / 2.0, 2);
    cwnd = ssthresh;
  }

  @Override
  public void onTimeout(long flightSegments, long nowMicros) {
    ssthresh = Math.max(flightSegments / 2.0, 2);
    cwnd = 1;
  }

  @Override
  public void onIdle() {
    cwnd = Math.min(cwnd, initialSegments);
  }
}
