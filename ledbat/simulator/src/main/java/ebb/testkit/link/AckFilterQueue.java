package ebb.testkit.link;

import java.util.function.Consumer;

/** See {@link AckFilterSpec}. */
final class AckFilterQueue extends FifoQueue {
  private final Consumer<Waiting<?>> drop;

  AckFilterQueue(Surroundings around) {
    super(around);
    drop = around.drop();
  }

  @Override
  public boolean offer(Waiting<?> packet, boolean idle, long nowMicros) {
    if (packet.wireBytes() <= AckFilterSpec.MAX_ACK_BYTES) {
      Waiting<?> older = takeNewest(packet.packet().flow(), AckFilterSpec.MAX_ACK_BYTES);
      if (older != null) {
        drop.accept(older);
      }
    }
    return super.offer(packet, idle, nowMicros);
  }
}
