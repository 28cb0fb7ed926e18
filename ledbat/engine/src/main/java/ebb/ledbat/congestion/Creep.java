package ebb.ledbat.congestion;

/**
 * A look that is as slow as it must be where single packets tell nothing, for the path loses some
 * or holds them back by chance. A TCP that fills a path loses one packet of so many, whoever sends
 * them: where three times as many all arrive, there is none. While a connection yields it sends a
 * small part of the link until then, and then twice as much, up to half of what a common look is to
 * carry. Where it showed that nobody was there, the next one begins sooner and with more. Owns the
 * rate, the counts, and when the next one may begin.
 *
 * <p>Not thread-safe.
 */
final class Creep {
  /** It begins with this part of what a look is to carry, which costs a rival as little ... */
  private static final double FIRST_PART = 1.0 / 16;

  /** ... or with this one where it was right lately, and ends with the last. */
  private static final double MOST_FIRST_PART = 1.0 / 4;

  private static final double LAST_PART = 1.0 / 2;

  /** Common looks have found nothing for so long; at least so long after it was right. */
  private static final long AFTER_MICROS = 10_000_000;

  private static final long LEAST_AFTER_MICROS = 2_500_000;

  /** So many times as long as it lasted passes until the next: a small part of a small part. */
  private static final int REST = 4;

  /** Where three losses are to be expected, chance hides all of them once in 20 times. */
  private static final double EXPECTED_LOSSES = 3;

  private static final double LEAST_PACKETS = 30;

  /** The queue is a mean of about so many round trips ... */
  private static final int MEAN_ROUND_TRIPS = 8;

  /** ... and somebody's where it is so many times what ends a common look by one packet. */
  private static final double QUEUED = 1.3;

  /** What a common look has lost is known after so many round trips. */
  private static final int SETTLING_ROUND_TRIPS = 2;

  private boolean creeping;
  private long beganMicros;
  private long nextMicros;
  private long afterMicros = AFTER_MICROS;
  private double firstPart = FIRST_PART;
  private double part;
  private double goalBytesPerSecond;
  private double needed;
  private double arrived;
  private double queueMicros;
  private int settling;

  /** A rival shows. */
  void onRival(long nowMicros) {
    creeping = false;
    nextMicros = nowMicros + afterMicros;
  }

  /** A common look ended. */
  void onLookEnd() {
    settling = SETTLING_ROUND_TRIPS;
  }

  /** The link is taken again. */
  void stop() {
    creeping = false;
  }

  boolean isDue(long nowMicros) {
    return !creeping && nowMicros >= nextMicros;
  }

  /**
   * It begins.
   *
   * @param goalBytesPerSecond what a common look is to carry
   * @param packetsBetweenLosses of a TCP that fills the path
   */
  void begin(double goalBytesPerSecond, double packetsBetweenLosses, long nowMicros) {
    this.goalBytesPerSecond = goalBytesPerSecond;
    needed = Math.max(LEAST_PACKETS, EXPECTED_LOSSES * packetsBetweenLosses);
    creeping = true;
    beganMicros = nowMicros;
    part = firstPart;
    arrived = 0;
    queueMicros = 0;
  }

  /** What is sent; 0 for the least. */
  double bytesPerSecond() {
    return creeping ? part * goalBytesPerSecond : 0;
  }

  /**
   * A round trip of waiting ended.
   *
   * @param packets that arrived in it
   * @param lost whether others did not
   * @param mostMicros a queue that ends a common look
   * @return whether so much arrived that nobody else can be there
   */
  boolean onRound(
      double packets, boolean lost, double meanQueueMicros, double mostMicros, long nowMicros) {
    if (!creeping || settling-- > 0) {
      return false;
    }
    queueMicros += (meanQueueMicros - queueMicros) / MEAN_ROUND_TRIPS;
    if (lost || queueMicros > QUEUED * mostMicros) {
      creeping = false;
      firstPart = FIRST_PART;
      afterMicros = AFTER_MICROS;
      nextMicros = nowMicros + Math.max(AFTER_MICROS, REST * (nowMicros - beganMicros));
      return false;
    }
    arrived += packets;
    if (arrived < needed) {
      return false;
    }
    if (part >= LAST_PART) {
      firstPart = Math.min(2 * firstPart, MOST_FIRST_PART);
      afterMicros = Math.max(afterMicros / 2, LEAST_AFTER_MICROS);
      return true;
    }
    part *= 2;
    arrived = 0;
    return false;
  }
}
