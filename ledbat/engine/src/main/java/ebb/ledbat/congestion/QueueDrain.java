package ebb.ledbat.congestion;

/**
 * When to stop for a moment, so that the queue empties and the base delay can be seen, and for how
 * long. A newcomer took the others' queue for the path's own delay; its first stop, soon after it
 * came to speed, mends that. Owns the schedule only.
 *
 * <p>Not thread-safe.
 */
final class QueueDrain {
  private static final long FIRST_GAP_MICROS = 1_000_000;

  /** A stop costs about a round trip: at most a hundredth of the time. */
  private static final long MAX_GAP_MICROS = 16_000_000;

  private static final int MAX_GAP_ROUND_TRIPS = 100;
  private static final int MAX_ROUND_TRIPS = 10;
  private static final long NOISE_MICROS = 300;
  private static final long EMPTY_MICROS = 500;
  private static final long NEVER = Long.MAX_VALUE;

  private long gapMicros = FIRST_GAP_MICROS;
  private long nextMicros = NEVER;
  private boolean draining;
  private long untilMicros;
  private long giveUpMicros;
  private long leastQueueMicros;
  private long baseBeforeMicros;

  /** The connection came to speed: the first stop is near. */
  void onUpToSpeed(long nowMicros) {
    gapMicros = FIRST_GAP_MICROS;
    nextMicros = nowMicros + gapMicros;
  }

  boolean isDraining() {
    return draining;
  }

  boolean isDue(long nowMicros) {
    return !draining && nowMicros >= nextMicros;
  }

  /** An empty queue was seen without stopping. */
  void onEmptySeen(long nowMicros) {
    if (!draining && nextMicros != NEVER && gapMicros >= MAX_GAP_MICROS) {
      nextMicros = nowMicros + gapMicros;
    }
  }

  void begin(QueueEstimate queue, long nowMicros) {
    draining = true;
    untilMicros = nowMicros + queue.pathRttMicros();
    giveUpMicros = nowMicros + MAX_ROUND_TRIPS * queue.pathRttMicros();
    leastQueueMicros = queue.queueMicros();
    baseBeforeMicros = queue.baseDelayMicros();
  }

  /**
   * Whether the stop is over: the queue is empty, falls no more, or will not empty.
   *
   * @return true once, at its end
   */
  boolean endsNow(QueueEstimate queue, long nowMicros) {
    if (nowMicros < untilMicros) {
      return false;
    }
    long nowQueuedMicros = queue.queueMicros();
    if (nowQueuedMicros > EMPTY_MICROS
        && nowQueuedMicros < leastQueueMicros - NOISE_MICROS
        && nowMicros < giveUpMicros) {
      leastQueueMicros = nowQueuedMicros;
      untilMicros = nowMicros + queue.minRttMicros() / 4;
      return false;
    }
    draining = false;
    boolean learnt = queue.baseDelayMicros() < baseBeforeMicros - EMPTY_MICROS;
    long longestMicros = Math.max(MAX_GAP_MICROS, MAX_GAP_ROUND_TRIPS * queue.minRttMicros());
    gapMicros = learnt ? FIRST_GAP_MICROS : Math.min(2 * gapMicros, longestMicros);
    nextMicros = nowMicros + gapMicros;
    return true;
  }
}
