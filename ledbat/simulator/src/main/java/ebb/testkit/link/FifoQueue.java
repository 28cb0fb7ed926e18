package ebb.testkit.link;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Drop-tail: packets leave in the order of their arrival, and what finds no room is dropped. */
class FifoQueue implements PacketQueue {
  private final long bufferBytes;
  private final ArrayDeque<Waiting<?>> packets = new ArrayDeque<>();
  private long bytes;

  FifoQueue(Surroundings around) {
    bufferBytes = around.bufferBytes();
  }

  /** Whether there is room for {@code packet}. */
  final boolean fits(Waiting<?> packet, boolean idle) {
    return idle || bytes + packet.wireBytes() <= bufferBytes;
  }

  final void add(Waiting<?> packet) {
    packets.add(packet);
    bytes += packet.wireBytes();
  }

  final @Nullable Waiting<?> take() {
    Waiting<?> head = packets.poll();
    if (head != null) {
      bytes -= head.wireBytes();
    }
    return head;
  }

  /** Takes the newest packet out, if it is of that flow and of at most that length. */
  final @Nullable Waiting<?> takeNewest(int flow, int maxBytes) {
    for (var newest = packets.descendingIterator(); newest.hasNext(); ) {
      Waiting<?> packet = newest.next();
      if (packet.packet().flow() == flow) {
        if (packet.wireBytes() > maxBytes) {
          return null;
        }
        newest.remove();
        bytes -= packet.wireBytes();
        return packet;
      }
    }
    return null;
  }

  @Override
  public boolean offer(Waiting<?> packet, boolean idle, long nowMicros) {
    if (!fits(packet, idle)) {
      return false;
    }
    add(packet);
    return true;
  }

  @Override
  public @Nullable Waiting<?> poll(long nowMicros) {
    return take();
  }

  @Override
  public final long bytes() {
    return bytes;
  }
}
