package ebb.vm.local;

import java.util.random.RandomGenerator;

/**
 * One direction between two zones: a rate with a drop-tail buffer, then propagation, then loss. A
 * packet's fate is settled when it arrives. Not thread-safe.
 */
final class Pipe {
  /** What is said of a packet that does not arrive. */
  static final long LOST = -1;

  private final long bitsPerSecond;
  private final long delayNanos;
  private final long bufferNanos;
  private final double loss;
  private final RandomGenerator random;

  /** When the last packet that was taken leaves the bottleneck. */
  private long emptyAt = Long.MIN_VALUE;

  /**
   * A pipe.
   *
   * @param bitsPerSecond of whole IP packets; 0 for no bound
   */
  Pipe(
      long bitsPerSecond,
      long delayMicros,
      long bufferMicros,
      double loss,
      RandomGenerator random) {
    this.bitsPerSecond = bitsPerSecond;
    delayNanos = delayMicros * 1_000;
    bufferNanos = bufferMicros * 1_000;
    this.loss = loss;
    this.random = random;
  }

  /** When the packet arrives at the other side; {@link #LOST} when it does not. */
  long arrival(long nowNanos, int bytes) {
    long leaves = nowNanos;
    if (bitsPerSecond > 0) {
      long begins = Math.max(nowNanos, emptyAt);
      if (begins - nowNanos > bufferNanos) {
        return LOST;
      }
      leaves = begins + bytes * 8_000_000_000L / bitsPerSecond;
      emptyAt = leaves;
    }
    // On the wire, behind the queue.
    return loss > 0 && random.nextDouble() < loss ? LOST : leaves + delayNanos;
  }
}
