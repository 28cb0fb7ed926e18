package ebb.ledbat.congestion;

/**
 * TCP's slow start: whether it runs, and up to which window. What ends it, besides that window, is
 * the controllers' business.
 */
final class SlowStart {
  private boolean running;

  /** RFC 5681, 3.1: "The initial value of ssthresh SHOULD be set arbitrarily high". */
  private double thresholdBytes = Double.MAX_VALUE;

  SlowStart(boolean running) {
    this.running = running;
  }

  /**
   * Whether the next acknowledgement still belongs to it, with a window of {@code cwndBytes}.
   *
   * <p>RFC 5681, 3.1: "The slow start algorithm is used when cwnd < ssthresh".
   */
  boolean isRunning(double cwndBytes) {
    running = running && cwndBytes < thresholdBytes;
    return running;
  }

  /** For those who watch. */
  String state(double cwndBytes) {
    return running && cwndBytes < thresholdBytes ? "slow_start" : "avoidance";
  }

  void end() {
    running = false;
  }

  /** It begins again, up to {@code thresholdBytes}. */
  void restart(double thresholdBytes) {
    this.thresholdBytes = thresholdBytes;
    running = true;
  }

  /** It begins again, up to where it was to end before. */
  void restart() {
    running = true;
  }

  /**
   * The window after an acknowledgement. RFC 5681, 3.1: "During slow start, a TCP increments cwnd
   * by at most SMSS bytes for each ACK received", counted in bytes, for one of our acknowledgements
   * stands for many packets.
   */
  double grown(double cwndBytes, long ackedBytes) {
    return Math.min(cwndBytes + ackedBytes, thresholdBytes);
  }
}
