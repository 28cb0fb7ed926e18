package ebb.ledbat.congestion;

/**
 * Tells a path that became longer from a queue: while this connection sends next to nothing, a
 * "queue" that does not move for seconds is none. Owns the range in which it stayed.
 *
 * <p>Not thread-safe.
 */
final class LongerPath {
  private static final long SLACK_MICROS = 1_000;
  private static final long FLAT_MICROS = 3_000_000;
  private static final int FLAT_ROUNDS = 8;

  private int rounds;
  private long sinceMicros;
  private double lowMicros;
  private double highMicros;

  /**
   * A round trip ended.
   *
   * @param candidate whether this connection sends next to nothing and sees a queue all the same
   * @return by how much the path became longer, 0 if it did not
   */
  long onRound(double queueMicros, boolean candidate, double packetMicros, long nowMicros) {
    double low = rounds == 0 ? queueMicros : Math.min(lowMicros, queueMicros);
    double high = rounds == 0 ? queueMicros : Math.max(highMicros, queueMicros);
    if (!candidate || high - low > Math.max(SLACK_MICROS, packetMicros)) {
      rounds = 0;
      return 0;
    }
    if (rounds++ == 0) {
      sinceMicros = nowMicros;
    }
    lowMicros = low;
    highMicros = high;
    if (rounds < FLAT_ROUNDS || nowMicros - sinceMicros < FLAT_MICROS) {
      return 0;
    }
    rounds = 0;
    return (long) low;
  }
}
