package ebb.ledbat.congestion;

/**
 * How late packets come on a path that holds them back without a queue and keeps their order, as
 * radio links do. Those behind a late packet arrive with it, though they were sent apart, and one
 * acknowledgement tells of all of them; the packets of a queue arrive one by one. Such a delay
 * grows with the own rate, for the more is sent the more waits behind a late packet, so that it
 * must not pass for a queue. Two things bound it: the time within which packets were sent that
 * arrived together, and the delay just after a stop, when the queue is empty and the rate is not
 * small, or that of a window that was raised and did not lengthen it ({@link GrowthTrial}). Owns
 * what is remembered of both.
 *
 * <p>Acknowledgements that got lost or were thinned out look alike. But then no packet is seen to
 * be as late as the first of those would have been, so that they do not count.
 *
 * <p>Not thread-safe.
 */
final class PathJitter {
  /** Less than this is what the law allows for anyway ... */
  private static final double IGNORED_MICROS = 2_000;

  /** ... and less than this what hosts are late by, which counts where a trial has proven it. */
  private static final double IGNORED_IF_PROVEN_MICROS = 1_000;

  private static final double MAX_MICROS = 25_000;

  /** So many of the acknowledgements tell of several packets where there is jitter ... */
  private static final double MANY = 0.1;

  /** ... and where it is over. */
  private static final double FEW = MANY / 4;

  /** The share is that of so many acknowledgements; as if the first eight had been for one each. */
  private static final int MOST_WEIGHTS = 64;

  /** One packet that was far later than all others does not count by itself. */
  private static final double SPAN_WEIGHT = 0.25;

  /** A queue of more than this many times that span keeps packets apart that came together. */
  private static final double APART_IN_QUEUE = 2;

  private static final double AFTER_STOP_WEIGHT = 0.3;

  /** More than this would be seen as a queue: about what the law tells from none. */
  private static final long MUCH_MICROS = 500;

  private static final long NONE = Long.MIN_VALUE;

  private long newestSentMicros = NONE;
  private int weights = 8;
  private double togetherShare;
  private double spanMicros;
  private long latestOffsetMicros;

  private long longestMicros = NONE;
  private long longestBeforeMicros = NONE;
  private long longestSinceMicros = Long.MIN_VALUE / 2;

  private double afterStopMicros = -1;
  private boolean proven;
  private double sumMicros;
  private int samples;

  /**
   * Packets were acknowledged.
   *
   * @param packets how many
   * @param sentMicros when the newest of them was sent
   * @param delayMicros its one-way delay
   */
  void onAck(double packets, long sentMicros, long delayMicros, long rttMicros) {
    noteLongest(sentMicros, delayMicros, rttMicros);
    long apartMicros = sentMicros - newestSentMicros;
    boolean first = newestSentMicros == NONE;
    newestSentMicros = sentMicros;
    if (first || apartMicros <= 0 || packets < 0.5) {
      return;
    }
    boolean together = packets > 1.5;
    if (!together && holdsBack() && latestOffsetMicros > APART_IN_QUEUE * spanMicros) {
      return; // What a rival's queue keeps apart does not tell that the path is steady now.
    }
    weights = Math.min(weights + 1, MOST_WEIGHTS);
    togetherShare += 1.0 / weights * ((together ? 1 : 0) - togetherShare);
    if (together) {
      double sentWithin = apartMicros * (packets - 1) / packets;
      long seenLate = Math.max(longestMicros, longestBeforeMicros) - delayMicros;
      double span = Math.min(MAX_MICROS, Math.min(sentWithin, (double) seenLate));
      spanMicros += SPAN_WEIGHT * Math.max(0, span - spanMicros);
    } else if (togetherShare < FEW) {
      spanMicros = 0;
      afterStopMicros = -1;
    }
  }

  /** The longest delay of the last one to two round trips. */
  private void noteLongest(long sentMicros, long delayMicros, long rttMicros) {
    long ageMicros = sentMicros - longestSinceMicros;
    if (ageMicros > rttMicros) {
      longestBeforeMicros = ageMicros > 2 * rttMicros ? NONE : longestMicros;
      longestMicros = NONE;
      longestSinceMicros = sentMicros;
    }
    longestMicros = Math.max(longestMicros, delayMicros);
  }

  /** So little is sent that packets come alone, which tells nothing. */
  void onPause() {
    newestSentMicros = NONE;
  }

  /**
   * A delay was measured.
   *
   * @param offsetMicros what it is beyond the least that was ever seen
   * @param afterStop whether of a packet that was sent just after a stop
   * @return whether the path proves to be much later than was known, so that more will be sent and
   *     the next stop tells of that
   */
  boolean onDelay(long offsetMicros, boolean afterStop) {
    latestOffsetMicros = offsetMicros;
    if (afterStop) {
      sumMicros += offsetMicros;
      samples++;
    } else if (samples > 0) {
      long knownMicros = micros();
      double mean = sumMicros / samples;
      afterStopMicros =
          afterStopMicros < 0
              ? mean
              : afterStopMicros + AFTER_STOP_WEIGHT * (mean - afterStopMicros);
      sumMicros = 0;
      samples = 0;
      return micros() > knownMicros + MUCH_MICROS;
    }
    return false;
  }

  /** The time within which packets were sent that came together; 0 where they hardly do. */
  double heldBackMicros() {
    return holdsBack() && spanMicros >= IGNORED_IF_PROVEN_MICROS ? spanMicros : 0;
  }

  /** The delay of an empty queue at today's rate, however late packets are; below 0 for unknown. */
  double knownMicros() {
    return afterStopMicros;
  }

  void setKnown(double delayMicros) {
    afterStopMicros = delayMicros;
  }

  /** Such a mean delay proved to be none of a queue. */
  void learn(double delayMicros) {
    proven = true;
    afterStopMicros = Math.max(afterStopMicros, delayMicros);
  }

  /** Whether enough packets come together, however late they are. */
  boolean holdsBack() {
    return togetherShare >= MANY;
  }

  /**
   * Microseconds; 0 until a stop has told, for a host that starts is late, too, and soon is not.
   */
  long micros() {
    double micros = Math.min(spanMicros, afterStopMicros);
    double ignoredMicros = proven ? IGNORED_IF_PROVEN_MICROS : IGNORED_MICROS;
    return !holdsBack() || micros < ignoredMicros ? 0 : (long) micros;
  }
}
