package ebb.testkit.link;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * FQ-CoDel (RFC 8290): flows have queues of their own by a hash, which take turns of a quantum, new
 * ones first; each is under {@link Codel}'s law. What overflows the buffer is dropped from the
 * longest queue.
 */
final class FqCodelQueue implements PacketQueue {
  /** RFC 8290, 4.1: at most so many packets are dropped at once from the longest queue. */
  private static final int MAX_BATCH = 64;

  private final FqCodelSpec spec;
  private final Surroundings around;
  private final Consumer<Waiting<?>> drop;
  private final Map<Integer, SubQueue> queues = new HashMap<>();
  private final ArrayDeque<SubQueue> fresh = new ArrayDeque<>();
  private final ArrayDeque<SubQueue> old = new ArrayDeque<>();
  private long bytes;

  FqCodelQueue(FqCodelSpec spec, Surroundings around) {
    this.spec = spec;
    this.around = around;
    drop =
        dropped -> {
          bytes -= dropped.wireBytes();
          around.drop().accept(dropped);
        };
  }

  /** One flow's, or of flows with the same hash. */
  private final class SubQueue {
    final ArrayDeque<Waiting<?>> packets = new ArrayDeque<>();
    final Codel<Waiting<?>> codel =
        new Codel<>(
            spec.codel(),
            around.mtuBytes(),
            this::take,
            Waiting::arrivedMicros,
            this::ownBytes,
            drop);
    long ownBytes;
    int credit;
    boolean listed;

    @Nullable Waiting<?> take() {
      Waiting<?> head = packets.poll();
      if (head != null) {
        ownBytes -= head.wireBytes();
      }
      return head;
    }

    long ownBytes() {
      return ownBytes;
    }
  }

  /** The queue of a flow: the top bits of a multiplicative hash. */
  int queueOf(int flow) {
    return (int) Math.floorMod((flow * 0x9E3779B97F4A7C15L) >>> 32, (long) spec.queues());
  }

  @Override
  public boolean offer(Waiting<?> packet, boolean idle, long nowMicros) {
    SubQueue queue =
        queues.computeIfAbsent(queueOf(packet.packet().flow()), unused -> new SubQueue());
    queue.packets.add(packet);
    queue.ownBytes += packet.wireBytes();
    bytes += packet.wireBytes();
    if (!queue.listed) {
      queue.listed = true;
      queue.credit = spec.quantumBytes();
      fresh.add(queue);
    }
    if (!idle && bytes > around.bufferBytes()) {
      return !dropFromLongest(packet);
    }
    return true;
  }

  /** Whether {@code arrived} is among what is dropped; that one is the caller's to count. */
  @SuppressWarnings("ReferenceEquality") // The same packet, not one like it.
  private boolean dropFromLongest(Waiting<?> arrived) {
    SubQueue longest = null;
    for (ArrayDeque<SubQueue> list : List.of(fresh, old)) {
      for (SubQueue queue : list) {
        if (longest == null || queue.ownBytes > longest.ownBytes) {
          longest = queue;
        }
      }
    }
    // RFC 8290, 4.1: half of its packets at once, for looking for the longest is expensive.
    int batch = longest == null ? 0 : Math.min(MAX_BATCH, (longest.packets.size() + 1) / 2);
    boolean own = false;
    for (int i = 0; i < batch && longest != null; i++) {
      Waiting<?> head = longest.take();
      if (head == arrived) {
        own = true;
        bytes -= head.wireBytes();
      } else if (head != null) {
        drop.accept(head);
      }
    }
    return own;
  }

  @Override
  public @Nullable Waiting<?> poll(long nowMicros) {
    while (true) {
      boolean isFresh = !fresh.isEmpty();
      SubQueue queue = isFresh ? fresh.peek() : old.peek();
      if (queue == null) {
        return null;
      }
      if (queue.credit <= 0) {
        queue.credit += spec.quantumBytes();
        (isFresh ? fresh : old).poll();
        old.add(queue);
        continue;
      }
      Waiting<?> head = queue.codel.dequeue(nowMicros);
      if (head == null) {
        // RFC 8290, 4.2: an empty new queue goes to the old ones, lest it is always new.
        (isFresh ? fresh : old).poll();
        if (isFresh && !old.isEmpty()) {
          old.add(queue);
        } else {
          queue.listed = false;
        }
        continue;
      }
      queue.credit -= head.wireBytes();
      bytes -= head.wireBytes();
      return head;
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
