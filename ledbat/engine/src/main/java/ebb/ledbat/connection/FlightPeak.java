package ebb.ledbat.connection;

/**
 * The most that was in flight lately: how much of its window a sender uses. The acknowledgements of
 * the last bytes that an application had, which come when nearly nothing is in flight any more, say
 * nothing of that.
 */
final class FlightPeak {
  // RFC 7661, 4.2: "the pipeACK Sampling Period as Max(3*RTT, 1 second)."
  private static final long MIN_PERIOD_MICROS = 1_000_000;
  private static final int PERIOD_RTTS = 3;

  private long sinceMicros;
  private long currentBytes;
  private long previousBytes;

  /**
   * Takes what is in flight now.
   *
   * <p>RFC 7661, 4.2: "MUST NOT exceed the maximum (highest value) within the pipeACK Sampling
   * Period."
   *
   * @return the most in one to two of the latest periods
   */
  long update(long flightBytes, long rttMicros, long nowMicros) {
    long periodMicros = Math.max(PERIOD_RTTS * rttMicros, MIN_PERIOD_MICROS);
    long ageMicros = nowMicros - sinceMicros;
    if (ageMicros >= periodMicros) {
      previousBytes = ageMicros < 2 * periodMicros ? currentBytes : 0;
      currentBytes = 0;
      sinceMicros = nowMicros;
    }
    currentBytes = Math.max(currentBytes, flightBytes);
    return Math.max(currentBytes, previousBytes);
  }

  /** A loss: what was in flight before it was too much. */
  void forget() {
    currentBytes = 0;
    previousBytes = 0;
  }
}
