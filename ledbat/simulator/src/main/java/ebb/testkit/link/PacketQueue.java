package ebb.testkit.link;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A discipline at work: it owns the packets that wait in front of a link's server. */
interface PacketQueue {
  /**
   * A packet arrives.
   *
   * @param idle the server has nothing to do and takes a packet at once, so the buffer has room
   * @return false when it is dropped
   */
  boolean offer(Waiting<?> packet, boolean idle, long nowMicros);

  /**
   * The packet to serve next; null when none waits, which the discipline learns by being asked.
   * Packets that are dropped on the way are told to {@link Surroundings#drop}.
   */
  @Nullable Waiting<?> poll(long nowMicros);

  /** IP bytes that wait. */
  long bytes();

  /**
   * What a queue may know of its link.
   *
   * @param bufferBytes waiting IP bytes, without the packet being serialised
   * @param packetMicros what a full packet takes on the link at its first rate; at least 1
   * @param random of this queue alone
   * @param drop hears of each packet that had been taken in and is dropped after all
   */
  record Surroundings(
      long bufferBytes,
      int mtuBytes,
      long packetMicros,
      RandomGenerator random,
      Consumer<Waiting<?>> drop) {}

  /** The state of an empty queue of this kind. */
  static PacketQueue of(QueueSpec spec, Surroundings around) {
    if (spec instanceof CodelSpec codel) {
      return new CodelQueue(codel, around);
    }
    if (spec instanceof PieSpec pie) {
      return new PieQueue(pie, around);
    }
    if (spec instanceof RedSpec red) {
      return new RedQueue(red, around);
    }
    if (spec instanceof FqCodelSpec fair) {
      return new FqCodelQueue(fair, around);
    }
    if (spec instanceof AckFilterSpec) {
      return new AckFilterQueue(around);
    }
    return new FifoQueue(around);
  }
}
