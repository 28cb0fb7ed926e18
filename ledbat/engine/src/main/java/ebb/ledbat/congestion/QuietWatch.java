package ebb.ledbat.congestion;

/**
 * Whether this connection has for seconds carried the same on a queue that is nearly empty. Beside
 * a TCP that cannot be: after a cut it leaves room, but takes it back little by little, so that
 * what this connection carries shrinks. A link that became slower looks like that. Owns two seconds
 * of rates.
 *
 * <p>Not thread-safe.
 */
final class QuietWatch {
  private static final long MIN_PART_MICROS = 1_000_000;
  private static final int PARTS = 3;

  /**
   * Reno takes back one packet in a round trip: over three parts of a window's packets by eight,
   * three eighths of the window.
   */
  private static final double ROUND_TRIPS_PER_PACKET = 0.125;

  /** Rates of which one is at least this part of the other are the same. */
  private static final double SAME = 0.85;

  private int parts;
  private long sinceMicros;
  private double rateSum;
  private int rounds;
  private double lowestRate;
  private double highestRate;

  /**
   * A round trip ended.
   *
   * @param quiet whether the queue was nearly empty
   * @param windowPackets what this connection had in flight
   * @param rttMicros the round trip
   * @return whether it has been for so long, at the same rate; then it begins anew
   */
  boolean onRound(
      boolean quiet, double bytesPerSecond, double windowPackets, long rttMicros, long nowMicros) {
    if (!quiet) {
      restart();
      return false;
    }
    if (rounds++ == 0) {
      sinceMicros = nowMicros;
    }
    rateSum += bytesPerSecond;
    double partMicros = ROUND_TRIPS_PER_PACKET * windowPackets * rttMicros;
    if (nowMicros - sinceMicros < Math.max(MIN_PART_MICROS, partMicros)) {
      return false;
    }
    double rate = rateSum / rounds;
    boolean same = rate >= SAME * highestRate && SAME * rate <= lowestRate;
    if (parts == 0 || !same) {
      parts = 0;
      lowestRate = rate;
      highestRate = rate;
    }
    lowestRate = Math.min(lowestRate, rate);
    highestRate = Math.max(highestRate, rate);
    rounds = 0;
    rateSum = 0;
    if (++parts < PARTS) {
      return false;
    }
    restart();
    return true;
  }

  void restart() {
    parts = 0;
    rounds = 0;
    rateSum = 0;
  }
}
