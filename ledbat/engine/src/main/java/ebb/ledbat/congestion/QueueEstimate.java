package ebb.ledbat.congestion;

/**
 * How long a packet waits in the queue of the path, from one-way delays and round trips. Owns the
 * two base values and the filter of recent samples; what to do about a queue is the controller's.
 *
 * <p>The one-way delay sees only the data's own direction, but drifts with the two clocks; the
 * round trip does not drift, but holds the way back and the peer's delayed acknowledgements, so
 * that it can only be too long. Hence the queue is never more than the round trip shows, and that
 * bound carries the base of the one-way delay along with a drifting clock.
 *
 * <p>Not thread-safe.
 */
final class QueueEstimate {
  private static final int FILTER_SAMPLES = 4;
  private static final long NONE = Long.MAX_VALUE;

  /** Part of a round trip by which a queue may be seen late, so that a late host is not seen. */
  private static final int RECENT_PART_OF_RTT = 16;

  private final RecentMinimum recentDelays = new RecentMinimum();
  private final CurrentDelayFilter delays = new CurrentDelayFilter(FILTER_SAMPLES);
  private final CurrentDelayFilter roundTrips = new CurrentDelayFilter(FILTER_SAMPLES);

  private long baseDelayMicros = NONE;
  private long minRttMicros = NONE;
  private long latestRttMicros = NONE;
  private long currentDelayMicros = NONE;
  private long queueMicros;

  /** The least that the base of the one-way delay can be, over the samples of one round trip. */
  private long floorMicros = NONE;

  private long floorSinceMicros = Long.MIN_VALUE;

  void onRtt(long rttMicros, long nowMicros) {
    latestRttMicros = rttMicros;
    minRttMicros = Math.min(minRttMicros, rttMicros);
    roundTrips.onSample(rttMicros, nowMicros);
    if (baseDelayMicros == NONE) {
      // A peer that returns no delays: the round trip is all there is.
      queueMicros = rttQueueMicros(nowMicros);
    }
  }

  void onDelay(long delayMicros, long nowMicros) {
    delays.onSample(delayMicros, nowMicros);
    baseDelayMicros = Math.min(baseDelayMicros, delayMicros);
    if (minRttMicros != NONE) {
      followDrift(delayMicros - (latestRttMicros - minRttMicros), nowMicros);
    }
    long recentMicros = minRttMicros == NONE ? 0 : minRttMicros / RECENT_PART_OF_RTT;
    currentDelayMicros =
        Math.min(
            delays.minimumMicros(nowMicros, pathRttMicros()),
            recentDelays.add(delayMicros, recentMicros, nowMicros));
    queueMicros = Math.max(0, currentDelayMicros - baseDelayMicros);
    if (minRttMicros != NONE) {
      queueMicros = Math.min(queueMicros, rttQueueMicros(nowMicros));
    }
  }

  /**
   * The queue is at most rtt - minRtt, so the base is at least delay - (rtt - minRtt). The smallest
   * of a round trip's worth of such bounds counts: a delay and a round trip of different packets
   * may be paired when packets are reordered.
   */
  private void followDrift(long boundMicros, long nowMicros) {
    if (floorSinceMicros == Long.MIN_VALUE) {
      floorSinceMicros = nowMicros;
    }
    floorMicros = Math.min(floorMicros, boundMicros);
    if (nowMicros - floorSinceMicros >= 2 * minRttMicros) {
      baseDelayMicros = Math.max(baseDelayMicros, floorMicros);
      floorMicros = NONE;
      floorSinceMicros = nowMicros;
    }
  }

  private long rttQueueMicros(long nowMicros) {
    // Of several young samples the least; the last one, however old, is a bound all the same.
    long leastMicros = roundTrips.minimumMicros(nowMicros, 2 * latestRttMicros);
    return Math.max(0, Math.min(leastMicros, latestRttMicros) - minRttMicros);
  }

  /** The path became longer by this much, so that what looked like a queue is none. */
  void onLongerPath(long byMicros) {
    if (baseDelayMicros != NONE) {
      baseDelayMicros += byMicros;
    }
    if (minRttMicros != NONE) {
      minRttMicros += byMicros;
    }
    floorMicros = NONE;
    floorSinceMicros = Long.MIN_VALUE;
    queueMicros = Math.max(0, queueMicros - byMicros);
  }

  boolean hasRtt() {
    return minRttMicros != NONE;
  }

  long queueMicros() {
    return queueMicros;
  }

  /** The round trip of a packet that meets today's queue. */
  long pathRttMicros() {
    return minRttMicros == NONE ? 1_000_000 : minRttMicros + queueMicros;
  }

  long minRttMicros() {
    return minRttMicros;
  }

  /** The last round trip measured. */
  long latestRttMicros() {
    return latestRttMicros;
  }

  long currentDelayMicros() {
    return currentDelayMicros == NONE ? 0 : currentDelayMicros;
  }

  long baseDelayMicros() {
    return baseDelayMicros == NONE ? 0 : baseDelayMicros;
  }
}
