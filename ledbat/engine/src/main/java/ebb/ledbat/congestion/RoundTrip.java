package ebb.ledbat.congestion;

/**
 * What one round trip showed: a window's worth of acknowledgements. Owns its sums; it begins anew
 * when they have been read.
 *
 * <p>Not thread-safe.
 */
final class RoundTrip {
  private int samples;
  private double ackedBytes;
  private double queueSumMicros;
  private double maxQueueMicros;
  private double cwndBytes;
  private long sinceMicros;

  /**
   * Data was acknowledged.
   *
   * @return whether the round trip is over
   */
  boolean onAck(long bytes, double cwnd, long queueMicros, long nowMicros) {
    if (samples++ == 0) {
      cwndBytes = cwnd;
      sinceMicros = nowMicros;
    }
    ackedBytes += bytes;
    queueSumMicros += queueMicros;
    maxQueueMicros = Math.max(maxQueueMicros, (double) queueMicros);
    return ackedBytes >= cwndBytes;
  }

  void restart() {
    samples = 0;
    ackedBytes = 0;
    queueSumMicros = 0;
    maxQueueMicros = 0;
  }

  double meanQueueMicros() {
    return queueSumMicros / samples;
  }

  double maxQueueMicros() {
    return maxQueueMicros;
  }

  /** The window at its beginning. */
  double cwndBytes() {
    return cwndBytes;
  }

  /** Bytes per second that arrived in it, which lasted at least {@code leastMicros}. */
  double rate(double leastMicros, long nowMicros) {
    return ackedBytes * 1e6 / Math.max((double) (nowMicros - sinceMicros), leastMicros);
  }
}
