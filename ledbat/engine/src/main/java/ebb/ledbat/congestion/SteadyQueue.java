package ebb.ledbat.congestion;

/**
 * How two of a kind that are far away come to the same rate in time. Both see one queue, and the
 * smaller wants a longer one than the larger; in a round trip the window moves by what is missing
 * of that, which is a small part of 250 ms. So what the law wants is moved away from the mean of
 * the queue, several times as far: where they meet stays the same, and the queue still answers to
 * their sum as before, for the mean follows it slowly. Owns that mean, and how much the queue moves
 * about it: the less it stands, as beside a TCP, the less that counts.
 *
 * <p>Not thread-safe.
 */
final class SteadyQueue {
  /** Up to this round trip a difference is gone soon enough ... */
  private static final long NEAR_MICROS = 60_000;

  /** ... and further away what the queue tells counts as often as the round trip holds this ... */
  private static final double ONCE_MICROS = 50_000;

  /** ... but no more often than this: tried up to 250 ms. */
  private static final double MOST_TIMES = 5;

  /** The mean is of so many round trips each time, longer than a window needs for the queue. */
  private static final double MEAN_ROUND_TRIPS = 4;

  private static final double SPREAD_ROUND_TRIPS = 8;

  /** A queue that moves by this part of its mean is not steady at all. */
  private static final double UNSTEADY_PART = 0.7;

  /** What was seen before a pause of so many round trips is of another queue. */
  private static final double PAUSE_ROUND_TRIPS = 2;

  private double meanMicros;
  private double spreadMicros;
  private long latestMicros = Long.MIN_VALUE / 2;

  /**
   * Data was acknowledged while a queue is kept.
   *
   * @param lawMicros the queue that is wanted at today's rate
   * @param queueMicros the one that is there
   * @param emptyMicros less than this is none, and tells nothing of others
   * @param minRttMicros the round trip without one
   * @return the queue to steer for; less than none where much less is wanted than is there
   */
  double wantedMicros(
      double lawMicros, double queueMicros, double emptyMicros, long minRttMicros, long nowMicros) {
    if (minRttMicros <= NEAR_MICROS) {
      return lawMicros;
    }
    double tookMicros = nowMicros - latestMicros;
    double rttMicros = minRttMicros + queueMicros;
    latestMicros = nowMicros;
    if (tookMicros > PAUSE_ROUND_TRIPS * rttMicros) {
      meanMicros = lawMicros;
      spreadMicros = lawMicros;
      return lawMicros;
    }
    double times = Math.min(MOST_TIMES, minRttMicros / ONCE_MICROS);
    double roundTrips = tookMicros / rttMicros;
    meanMicros += part(roundTrips, times * MEAN_ROUND_TRIPS) * (queueMicros - meanMicros);
    double awayMicros = Math.abs(queueMicros - meanMicros);
    spreadMicros += part(roundTrips, SPREAD_ROUND_TRIPS) * (awayMicros - spreadMicros);
    if (meanMicros <= emptyMicros) {
      return lawMicros;
    }
    double steady = Math.max(0, 1 - spreadMicros / (UNSTEADY_PART * meanMicros));
    return lawMicros + steady * (times - 1) * (lawMicros - meanMicros);
  }

  /** What was seen so far is of another path. */
  void restart() {
    latestMicros = Long.MIN_VALUE / 2;
  }

  /** What a mean over so many round trips takes of what is new after these. */
  private static double part(double roundTrips, double ofRoundTrips) {
    return 1 - StrictMath.exp(-roundTrips / ofRoundTrips);
  }
}
