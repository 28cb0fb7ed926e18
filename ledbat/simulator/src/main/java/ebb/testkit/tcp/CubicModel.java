package ebb.testkit.tcp;

import org.jspecify.annotations.Nullable;

/**
 * RFC 9438's window: the cubic curve, the Reno-friendly region and fast convergence; with {@link
 * HyStart} if asked for. Named a model: not a kernel's TCP.
 */
public final class CubicModel implements TcpWindow {
  /** RFC 9438, 4.6: "the multiplicative decrease factor ... SHOULD be set to 0.7". */
  static final double BETA = 0.7;

  /** RFC 9438, 5: "C SHOULD be set to 0.4", in segments per second cubed. */
  static final double C = 0.4;

  /** RFC 9438, 4.3: the increase at which AIMD with {@link #BETA} takes as much as Reno. */
  private static final double ALPHA = 3 * (1 - BETA) / (1 + BETA);

  private final int initialSegments;
  private final @Nullable HyStart hyStart;
  private double cwnd;
  private double ssthresh = Double.MAX_VALUE;
  private double wMax;
  private double cwndPrior;
  private double k;
  private double wEst;
  private double cwndAtEpoch;
  private long epochMicros = -1;

  public CubicModel() {
    this(10);
  }

  public CubicModel(int initialSegments) {
    this(initialSegments, null);
  }

  private CubicModel(int initialSegments, @Nullable HyStart hyStart) {
    this.initialSegments = initialSegments;
    this.hyStart = hyStart;
    cwnd = initialSegments;
  }

  /** Leaves slow start when round trips become longer (RFC 9406). */
  public static CubicModel withHyStart() {
    return new CubicModel(10, new HyStart());
  }

  @Override
  public double cwndSegments() {
    return cwnd;
  }

  @Override
  public void onAck(int segments, long smoothedRttMicros, long nowMicros) {
    int left = segments;
    while (left > 0 && cwnd < ssthresh) {
      cwnd += hyStart == null ? 1 : hyStart.growth();
      left--;
    }
    if (left == 0) {
      return;
    }
    if (epochMicros < 0) {
      startEpoch(nowMicros);
    }
    double t = (nowMicros - epochMicros) / 1e6;
    double rtt = smoothedRttMicros / 1e6;
    // RFC 9438, 4.3: once W_est has reached the window of the last reduction, alpha becomes 1.
    wEst += (wEst < cwndPrior ? ALPHA : 1) * left / cwnd;
    double now = curve(t);
    if (now < wEst) {
      cwnd = Math.max(cwnd, wEst);
      return;
    }
    // RFC 9438, 4.2: "target" is W_cubic(t + RTT), at least cwnd and at most 1.5 cwnd.
    double target = Math.min(Math.max(curve(t + rtt), cwnd), 1.5 * cwnd);
    cwnd += left * (target - cwnd) / cwnd;
  }

  @Override
  public void onDelivery(TcpDelivery delivery) {
    if (hyStart != null && inSlowStart() && hyStart.leaves(delivery)) {
      ssthresh = cwnd;
    }
  }

  @Override
  public boolean inSlowStart() {
    return cwnd < ssthresh;
  }

  @Override
  public void onIdle() {
    cwnd = Math.min(cwnd, initialSegments);
    epochMicros = -1;
  }

  @Override
  public void onLoss(long flightSegments, long nowMicros) {
    reduce();
    // RFC 9438, 4.6.
    ssthresh = Math.max(cwnd * BETA, 2);
    cwnd = ssthresh;
  }

  @Override
  public void onTimeout(long flightSegments, long nowMicros) {
    reduce();
    ssthresh = Math.max(cwnd * BETA, 2);
    cwnd = 1;
  }

  private void reduce() {
    cwndPrior = cwnd;
    // RFC 9438, 4.7, fast convergence: a flow that lost before it came back makes room.
    wMax = cwnd < wMax ? cwnd * (1 + BETA) / 2 : cwnd;
    epochMicros = -1;
  }

  private void startEpoch(long nowMicros) {
    epochMicros = nowMicros;
    cwndAtEpoch = cwnd;
    if (wMax < cwnd) {
      wMax = cwnd; // Slow start ended above the old plateau: the curve starts flat here.
    }
    // RFC 9438, 4.2: "K = cubic root of (W_max - cwnd_epoch) / C". StrictMath: the same bits
    // everywhere.
    k = StrictMath.cbrt((wMax - cwndAtEpoch) / C);
    wEst = cwndAtEpoch;
  }

  /** RFC 9438, 4.2: "W_cubic(t) = C*(t-K)^3 + W_max". */
  private double curve(double seconds) {
    double x = seconds - k;
    return C * x * x * x + wMax;
  }
}
