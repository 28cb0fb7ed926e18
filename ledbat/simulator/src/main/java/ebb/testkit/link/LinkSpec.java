package ebb.testkit.link;

import ebb.testkit.sim.Schedule;
import java.util.function.Consumer;
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
 * @param queue who waits, and who is dropped
 * @param service when the server takes packets
 * @param bucket a policer or a shaper in front; null for none
 * @param mtuBytes IP packets above it are dropped silently or, without "don't fragment", cut up
 */
public record LinkSpec(
    Schedule<Long> rateBitsPerSecond,
    Schedule<Long> delayMicros,
    long bufferBytes,
    Schedule<LossSpec> loss,
    Faults faults,
    QueueSpec queue,
    ServiceSpec service,
    @Nullable TokenBucketSpec bucket,
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
   * @param jitterMicros each packet takes up to this longer; order is kept
   * @param jitterShape how often which part of it
   * @param reorderProbability share of packets that are held back and may be overtaken
   * @param reorderMicros by how long those are held back at most: uniformly, or until {@code
   *     reorderPackets} have overtaken them
   * @param reorderPackets how many packets overtake one that is held back; 0 where time decides
   * @param duplicateProbability share of packets that arrive twice
   */
  public record Faults(
      long jitterMicros,
      JitterShape jitterShape,
      double reorderProbability,
      long reorderMicros,
      int reorderPackets,
      double duplicateProbability) {
    static final Faults NONE = new Faults(0, JitterShape.UNIFORM, 0, 0, 0, 0);

    /** Ranges are checked. */
    public Faults {
      require(jitterMicros >= 0, "jitterMicros must not be negative: " + jitterMicros);
      require(
          reorderProbability >= 0 && reorderProbability <= 1,
          "reorderProbability must be between 0 and 1: " + reorderProbability);
      require(reorderMicros >= 0, "reorderMicros must not be negative: " + reorderMicros);
      require(reorderPackets >= 0, "reorderPackets must not be negative: " + reorderPackets);
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
    return new LinkSpec(
        rate,
        delay,
        bufferBytes,
        loss,
        Faults.NONE,
        QueueSpec.DROP_TAIL,
        ServiceSpec.CONTINUOUS,
        null,
        1_500);
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
    return changed(copy -> copy.rate = value);
  }

  public LinkSpec withDelay(Schedule<Long> value) {
    return changed(copy -> copy.delay = value);
  }

  public LinkSpec withBufferBytes(long value) {
    return changed(copy -> copy.bufferBytes = value);
  }

  public LinkSpec withLoss(LossSpec value) {
    return withLoss(Schedule.always(value));
  }

  public LinkSpec withLoss(Schedule<LossSpec> value) {
    return changed(copy -> copy.loss = value);
  }

  public LinkSpec withMtu(int value) {
    return changed(copy -> copy.mtuBytes = value);
  }

  /** Another discipline than drop-tail, for the same buffer. */
  public LinkSpec withQueue(QueueSpec value) {
    return changed(copy -> copy.queue = value);
  }

  public LinkSpec withService(ServiceSpec value) {
    return changed(copy -> copy.service = value);
  }

  /** A policer or a shaper in front of the buffer. */
  public LinkSpec withBucket(@Nullable TokenBucketSpec value) {
    return changed(copy -> copy.bucket = value);
  }

  /** Uniform up to {@code micros}; order is kept. */
  public LinkSpec withJitter(long micros) {
    return withJitter(micros, JitterShape.UNIFORM);
  }

  /** Up to {@code micros}; order is kept. */
  public LinkSpec withJitter(long micros, JitterShape shape) {
    return changed(
        copy ->
            copy.faults =
                new Faults(
                    micros,
                    shape,
                    faults.reorderProbability,
                    faults.reorderMicros,
                    faults.reorderPackets,
                    faults.duplicateProbability));
  }

  public LinkSpec withReordering(double probability, long micros) {
    return changed(
        copy ->
            copy.faults =
                new Faults(
                    faults.jitterMicros,
                    faults.jitterShape,
                    probability,
                    micros,
                    0,
                    faults.duplicateProbability));
  }

  /**
   * So many others overtake a packet that is held back, or as many as come within {@code
   * mostMicros}.
   */
  public LinkSpec withOvertaking(double probability, int packets, long mostMicros) {
    return changed(
        copy ->
            copy.faults =
                new Faults(
                    faults.jitterMicros,
                    faults.jitterShape,
                    probability,
                    mostMicros,
                    packets,
                    faults.duplicateProbability));
  }

  public LinkSpec withDuplication(double probability) {
    return changed(
        copy ->
            copy.faults =
                new Faults(
                    faults.jitterMicros,
                    faults.jitterShape,
                    faults.reorderProbability,
                    faults.reorderMicros,
                    faults.reorderPackets,
                    probability));
  }

  private LinkSpec changed(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.made();
  }

  /** The components while one of them changes. */
  private static final class Copy {
    Schedule<Long> rate;
    Schedule<Long> delay;
    long bufferBytes;
    Schedule<LossSpec> loss;
    Faults faults;
    QueueSpec queue;
    ServiceSpec service;
    @Nullable TokenBucketSpec bucket;
    int mtuBytes;

    Copy(LinkSpec spec) {
      rate = spec.rateBitsPerSecond;
      delay = spec.delayMicros;
      bufferBytes = spec.bufferBytes;
      loss = spec.loss;
      faults = spec.faults;
      queue = spec.queue;
      service = spec.service;
      bucket = spec.bucket;
      mtuBytes = spec.mtuBytes;
    }

    LinkSpec made() {
      return new LinkSpec(rate, delay, bufferBytes, loss, faults, queue, service, bucket, mtuBytes);
    }
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** What such a link could carry in [{@code from}, {@code to}), in bytes. */
  public double capacityBytes(long fromMicros, long toMicros) {
    TokenBucketSpec limit = bucket;
    double served = service.capacityBytes(rateBitsPerSecond, fromMicros, toMicros);
    return limit == null
        ? served
        : Math.min(served, limit.rateBitsPerSecond() * (toMicros - fromMicros) / 8e6);
  }
}
