package ebb.testkit.link;

import org.jspecify.annotations.Nullable;

/** One queue under {@link Codel}'s law, in front of the same buffer. */
final class CodelQueue extends FifoQueue {
  private final Codel<Waiting<?>> codel;

  CodelQueue(CodelSpec spec, Surroundings around) {
    super(around);
    codel =
        new Codel<>(
            spec,
            around.mtuBytes(),
            this::take,
            Waiting::arrivedMicros,
            this::bytes,
            around.drop());
  }

  @Override
  public @Nullable Waiting<?> poll(long nowMicros) {
    return codel.dequeue(nowMicros);
  }
}
