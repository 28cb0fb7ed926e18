package ebb.testkit.link;

import ebb.testkit.sim.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one direction of a link. Immutable; the {@code with} methods give changed
 * copies.
 *
 * @param rateBitsPerSecond IP packets are serialised at this rate; {@link #UNLIMITED} takes no
 *     time, 0 holds the queue. A change counts from the next packet
 * @param delayMicros propagation delay. When it falls, later packets overtake earlier ones, as on a
 *     route change
 * @param bufferBytes waiting IP bytes, without the packet being serialised; more are dropped
 * @param loss on the wire, behind the queue: a lost packet has taken its time
 * @param faults what else happens to packets on the wire
 * @param codel drops from the head of a queue that stands; null for drop-tail alone
 * @param mtuBytes IP packets above it are dropped silently or, without "don't fragment", cut up
 */
public record LinkSpec(
    Schedule<Long> rateBitsPerSecond,
    Schedule<Long> delayMicros,
    long bufferBytes,
    Schedule<LossSpec> loss,
    Faults faults,
    @Nullable CodelSpec codel,
    int mtuBytes) {

  /** A rate at which packets take no time. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** Ranges are checked. */
  public LinkSpec {
    require(bufferBytes >= 0, "bufferBytes must not be negative: " + bufferBytes);
    require(mtuBytes >= 68, "mtuBytes must be at least 68 (RFC 791): " + mtuBytes);
    for (long rate : rateBitsPerSecond.steps().values()) {
      require(rate >= 0, "rateBitsPerSecond must not be negative: " + rate);
    }
    for (long delay : delayMicros.steps().values()) {
      require(delay >= 0, "delayMicros must not be negative: " + delay);
    }
  }

  /**
   * What happens to packets beside loss.
   *
   * @param jitterMicros each packet takes up to this longer, uniformly; order is kept
   * @param reorderProbability share of packets that are held back and may be overtaken
   * @param reorderMicros by how long those are held back at most, uniformly
   * @param duplicateProbability share of packets that arrive twice
   */
  public record Faults(
      long jitterMicros,
      double reorderProbability,
      long reorderMicros,
      double duplicateProbability) {
    static final Faults NONE = new Faults(0, 0, 0, 0);

    /** Ranges are checked. */
    public Faults {
      require(jitterMicros >= 0, "jitterMicros must not be negative: " + jitterMicros);
      require(
          reorderProbability >= 0 && reorderProbability <= 1,
          "reorderProbability must be between 0 and 1: " + reorderProbability);
      require(reorderMicros >= 0, "reorderMicros must not be negative: " + reorderMicros);
      require(
          duplicateProbability >= 0 && duplicateProbability <= 1,
          "duplicateProbability must be between 0 and 1: " + duplicateProbability);
    }
  }

  /** A link without faults, MTU 1500. */
  public static LinkSpec of(long rateBitsPerSecond, long delayMicros, long bufferBytes) {
    Schedule<Long> rate = Schedule.always(rateBitsPerSecond);
    Schedule<Long> delay = Schedule.always(delayMicros);
    Schedule<LossSpec> loss = Schedule.always(LossSpec.NONE);
    return new LinkSpec(rate, delay, bufferBytes, loss, Faults.NONE, null, 1_500);
  }

  /** A link that only takes time: no rate, no buffer limit. */
  public static LinkSpec delayOnly(long delayMicros) {
    return of(UNLIMITED, delayMicros, Long.MAX_VALUE);
  }

  /** The bytes that take {@code micros} at {@code bitsPerSecond}: a buffer given as time. */
  public static long bytesIn(long micros, long bitsPerSecond) {
    return Math.multiplyExact(micros, bitsPerSecond) / 8_000_000;
  }

  public LinkSpec withRate(Schedule<Long> value) {
    return new LinkSpec(value, delayMicros, bufferBytes, loss, faults, codel, mtuBytes);
  }

  public LinkSpec withDelay(Schedule<Long> value) {
    return new LinkSpec(rateBitsPerSecond, value, bufferBytes, loss, faults, codel, mtuBytes);
  }

  public LinkSpec withBufferBytes(long value) {
    return new LinkSpec(rateBitsPerSecond, delayMicros, value, loss, faults, codel, mtuBytes);
  }

  public LinkSpec withLoss(LossSpec value) {
    return withLoss(Schedule.always(value));
  }

  public LinkSpec withLoss(Schedule<LossSpec> value) {
    return new LinkSpec(
        rateBitsPerSecond, delayMicros, bufferBytes, value, faults, codel, mtuBytes);
  }

  public LinkSpec withMtu(int value) {
    return new LinkSpec(rateBitsPerSecond, delayMicros, bufferBytes, loss, faults, codel, value);
  }

  /** Active queue management by CoDel, in front of the same buffer. */
  public LinkSpec withCodel(CodelSpec value) {
    return new LinkSpec(rateBitsPerSecond, delayMicros, bufferBytes, loss, faults, value, mtuBytes);
  }

  public LinkSpec withJitter(long micros) {
    return with(
        new Faults(
            micros, faults.reorderProbability, faults.reorderMicros, faults.duplicateProbability));
  }

  public LinkSpec withReordering(double probability, long micros) {
    return with(new Faults(faults.jitterMicros, probability, micros, faults.duplicateProbability));
  }

  public LinkSpec withDuplication(double probability) {
    return with(
        new Faults(
            faults.jitterMicros, faults.reorderProbability, faults.reorderMicros, probability));
  }

  private LinkSpec with(Faults value) {
    return new LinkSpec(rateBitsPerSecond, delayMicros, bufferBytes, loss, value, codel, mtuBytes);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
