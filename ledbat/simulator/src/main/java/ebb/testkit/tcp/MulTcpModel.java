package ebb.testkit.tcp;

/**
 * MulTCP (Crowcroft and Oechslin, "Differentiated End-to-End Internet Services using a Weighted
 * Proportional Fair Sharing TCP", 1998): one flow that behaves like N Reno flows together. With a
 * weight of 1 it is {@link RenoModel}. Named a model: not a kernel's TCP.
 */
public final class MulTcpModel implements TcpWindow {
  private final double weight;
  private double cwnd;
  private double ssthresh = Double.MAX_VALUE;

  /** RFC 6928: an initial window of ten segments. */
  public MulTcpModel(double weight) {
    this(weight, 10);
  }

  /**
   * A flow before its first segment.
   *
   * @param weight N, at least 1
   */
  public MulTcpModel(double weight, int initialSegments) {
    if (!(weight >= 1)) {
      throw new IllegalArgumentException("weight must be at least 1: " + weight);
    }
    this.weight = weight;
    cwnd = initialSegments;
  }

  @Override
  public double cwndSegments() {
    return cwnd;
  }

  @Override
  public void onAck(int segments, long smoothedRttMicros, long nowMicros) {
    // N flows add a segment each in a round trip.
    cwnd += cwnd < ssthresh ? 1 : weight / cwnd;
  }

  @Override
  public void onLoss(long flightSegments, long nowMicros) {
    // One of N flows halves its part: (N - 1/2) / N is left. Slow start overshoots by up to a
    // factor of two whatever the weight, so there all of them halve.
    double left = cwnd < ssthresh ? 0.5 : (weight - 0.5) / weight;
    ssthresh = Math.max(flightSegments * left, 2);
    cwnd = ssthresh;
  }

  @Override
  public void onTimeout(long flightSegments, long nowMicros) {
    ssthresh = Math.max(flightSegments / 2.0, 2);
    cwnd = 1;
  }
}
