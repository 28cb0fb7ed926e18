package ebb.ledbat.congestion;

/**
 * Whether more is lost at once than this connection can lose by itself: it sends at most 12% more
 * than the path has carried for seconds ({@link RateCeiling#isCarried}, and what {@link
 * BlindLosses} adds), so that at most 11% are its own. A TCP that joins doubles its rate until it
 * has lost some, which takes two round trips of this connection; a host that was late loses in one
 * of them. Owns the counts of two round trips.
 *
 * <p>Not thread-safe.
 */
final class SuddenLosses {
  /** More of two round trips than a connection loses by itself. */
  private static final double TOO_MANY = 0.15;

  private boolean carried;
  private double packetsBefore;
  private double lostBefore;

  /**
   * The first of these round trips ended.
   *
   * @param carried whether the path has carried as much for seconds
   */
  void begin(double packets, double lost, boolean carried) {
    this.carried = carried;
    packetsBefore = packets;
    lostBefore = lost;
  }

  /** What is lost from now on tells nothing. */
  void stop() {
    carried = false;
  }

  /** The next one ended; answers whether this and the one before lost too many. */
  boolean onRound(double packets, double lost) {
    boolean both = lost > 0 && lostBefore > 0;
    boolean tooMany = both && lost + lostBefore > TOO_MANY * (packets + packetsBefore);
    packetsBefore = packets;
    lostBefore = lost;
    return carried && tooMany;
  }
}
