package ebb.ledbat.congestion;

/**
 * How a window grows back when a rival has left in whose long queue it was: faster than beside the
 * rate that is known, for that was what the rival left, and a buffer that held its queue holds what
 * goes beyond the link's rate until it is seen. Owns whether that is under way and for how long
 * losses are its doing; the window is {@link QueueKeeper}'s.
 *
 * <p>Not thread-safe.
 */
final class Regrowth {
  /** Growth in a second, whatever the round trip: doubles in a quarter of one. */
  private static final double PER_SECOND = 2.8;

  /** Growth per round trip is never less than beside a known rate ... */
  private static final double LEAST = QueueKeeper.BOOST_AT_RATE;

  /** ... and never more than this ... */
  private static final double MOST = 0.5;

  /** ... but where the buffer holds a round trip of it. */
  private static final double MOST_IN_BUFFER = 1;

  /**
   * A window that grew so much while nothing waited is not near the rate of a link that is full.
   */
  private static final double GREW_FREELY = 2;

  /** What it overfilled is lost, and found missing, for so long after it ended. */
  private static final int OVERFILLED_ROUND_TRIPS = 3;

  private boolean underWay;
  private double freeFromBytes;
  private long overfilledUntilMicros = Long.MIN_VALUE;

  void begin() {
    underWay = true;
  }

  /** Nothing has waited since the window was this. */
  void freeFrom(double cwndBytes) {
    freeFromBytes = cwndBytes;
  }

  /** A rival shows: nothing grows. */
  void stop() {
    underWay = false;
  }

  /** A queue shows, or losses: the link is full. */
  void onFull(long rttMicros, long nowMicros) {
    if (underWay) {
      underWay = false;
      onOverfilled(rttMicros, nowMicros);
    }
  }

  /** A window was too large for a moment. */
  void onOverfilled(long rttMicros, long nowMicros) {
    overfilledUntilMicros = nowMicros + OVERFILLED_ROUND_TRIPS * rttMicros;
  }

  /** Whether a window of this size has doubled since something waited. */
  boolean grewFreely(double cwndBytes) {
    return cwndBytes >= GREW_FREELY * freeFromBytes;
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether what is lost now is its own doing. */
  boolean explainsLosses(long nowMicros) {
    return underWay || nowMicros < overfilledUntilMicros;
  }

  /**
   * Growth per round trip near the rate that was known, or beyond it. Beside a rival that is not
   * what the link carries: who has doubled since something waited has proven that.
   *
   * @param bufferMicros the buffer is known to hold so much: what a round trip goes beyond the link
   */
  double most(double cwndBytes, long minRttMicros, long bufferMicros) {
    double held = Math.min(MOST_IN_BUFFER, bufferMicros / (double) minRttMicros);
    if (grewFreely(cwndBytes)) {
      return Math.max(MOST, held);
    }
    double most = Math.min(MOST, held);
    return Math.max(LEAST, Math.min(most, PER_SECOND * minRttMicros / 1e6));
  }
}
