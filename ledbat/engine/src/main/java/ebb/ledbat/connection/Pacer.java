package ebb.ledbat.connection;

/**
 * Spreads a window over its round trip: a token bucket in payload bytes whose rate follows cwnd and
 * smoothed RTT. It owns no timer; it says when enough tokens will be there.
 *
 * <p>RFC 6817 does not pace. Without pacing a GSO burst makes the very queue that LEDBAT measures,
 * and overflows small buffers; so bursts are bounded to what the rate allows in a millisecond.
 */
final class Pacer {
  /** Faster than cwnd per RTT, so that pacing shapes bursts and cwnd remains the limit. */
  private static final double GAIN = 1.5;

  private static final long BURST_MICROS = 1_000;
  private static final int MIN_BURST_PACKETS = 2;

  private long rateBytesPerSecond = Long.MAX_VALUE;
  private long burstBytes = Long.MAX_VALUE;
  private boolean boundByMaxRate;
  private double tokensBytes;
  private long updatedMicros;

  /**
   * Follows the window.
   *
   * @param chosenRateBytesPerSecond the controller's own rate; 0 to follow cwnd and round trip
   * @param maxRateBytesPerSecond 0 for no bound
   * @param leastBurstBytes what may go at once however slow that is
   */
  void update(
      long cwndBytes,
      long smoothedRttMicros,
      long chosenRateBytesPerSecond,
      int mssBytes,
      long maxRateBytesPerSecond,
      long leastBurstBytes,
      long nowMicros) {
    double rate =
        smoothedRttMicros == 0
            ? Double.MAX_VALUE
            : GAIN * (double) cwndBytes * 1e6 / smoothedRttMicros;
    if (chosenRateBytesPerSecond > 0) {
      rate = (double) chosenRateBytesPerSecond;
    }
    boundByMaxRate = maxRateBytesPerSecond > 0 && maxRateBytesPerSecond < rate;
    if (boundByMaxRate) {
      rate = (double) maxRateBytesPerSecond;
    }
    refill(nowMicros);
    rateBytesPerSecond = rate >= 1e15 ? Long.MAX_VALUE : Math.max(1, (long) rate);
    burstBytes =
        rateBytesPerSecond == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : Math.max(
                Math.max((long) MIN_BURST_PACKETS * mssBytes, leastBurstBytes),
                rateBytesPerSecond / (1_000_000 / BURST_MICROS));
    tokensBytes = Math.min(tokensBytes, (double) burstBytes);
  }

  /** The rate in payload bytes; 0 while there is none. */
  long rateBytesPerSecond() {
    return rateBytesPerSecond == Long.MAX_VALUE ? 0 : rateBytesPerSecond;
  }

  /** Whether the rate is the user's bound, not what cwnd and the round trip give. */
  boolean isBoundByMaxRate() {
    return boundByMaxRate;
  }

  private void refill(long nowMicros) {
    if (rateBytesPerSecond == Long.MAX_VALUE) {
      tokensBytes = (double) burstBytes;
    } else {
      double earned = (nowMicros - updatedMicros) * (rateBytesPerSecond / 1e6);
      tokensBytes = Math.min((double) burstBytes, tokensBytes + earned);
    }
    updatedMicros = nowMicros;
  }

  /** Bytes that may go now; may be exceeded by one packet, which is then owed. */
  long availableBytes(long nowMicros) {
    refill(nowMicros);
    return (long) tokensBytes;
  }

  void spend(int bytes) {
    if (rateBytesPerSecond != Long.MAX_VALUE) {
      tokensBytes -= bytes;
    }
  }

  /** When half a burst, or {@code wantedBytes} if less, may go. */
  long readyMicros(long wantedBytes, long nowMicros) {
    double missing = (double) Math.min(wantedBytes, Math.max(1, burstBytes / 2)) - tokensBytes;
    if (missing <= 0 || rateBytesPerSecond == Long.MAX_VALUE) {
      return nowMicros;
    }
    return nowMicros + (long) Math.ceil(missing * 1e6 / rateBytesPerSecond);
  }
}
