package ebb.ledbat.congestion;

/**
 * Whether a value has hardly moved for a while, but for short dips. Beside a TCP neither the queue
 * nor this connection's window comes to rest, for a TCP grows until packets are lost and then
 * leaves room; connections of this kind come to rest, but for the moments when one of them stops to
 * let the queue empty. Owns the range in which the value stayed.
 *
 * <p>Not thread-safe.
 */
final class AtRest {
  private static final long REST_MICROS = 3_000_000;

  /** ... and for so many samples, however far apart they are. */
  private static final int REST_ROUND_TRIPS = 16;

  private static final double DIPS = 0.2;

  private int rounds;
  private int dips;
  private long sinceMicros;
  private double high;

  /**
   * A round trip ended; answers once.
   *
   * @param most above this it is not at rest
   * @param range how far it may move
   */
  boolean onRound(double value, double most, double range, long rttMicros, long nowMicros) {
    if (value > most || (rounds > 0 && value > high + range)) {
      restart();
      return false;
    }
    if (rounds == 0) {
      sinceMicros = nowMicros;
      high = value;
      dips = 0;
    }
    rounds++;
    high = Math.max(high, value);
    if (value < high - range) {
      dips++;
    }
    if (nowMicros - sinceMicros < Math.max(REST_MICROS, REST_ROUND_TRIPS * rttMicros)
        || rounds < REST_ROUND_TRIPS) {
      return false;
    }
    boolean rest = dips <= DIPS * rounds;
    restart();
    return rest;
  }

  /** The highest value of the time watched; 0 when that just begins. */
  double high() {
    return rounds == 0 ? 0 : high;
  }

  void restart() {
    rounds = 0;
  }
}
