package ebb.interop;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams on their way in one direction: those that keep their order in a ring, which costs
 * nothing to keep sorted since all of them take equally long, and the few that are late in a heap.
 * Owns the memory, up to a cap.
 */
final class DelayLine {
  /** 32 MiB: 300 MB/s for 100 ms. */
  static final int MAX_DATAGRAMS = 1 << 14;

  private static final int SLOT_BYTES = RelayConditions.MAX_DATAGRAM_BYTES;
  private static final int SLOTS_PER_SLAB = 512;

  private record Late(long dueNanos, long order, int slot) implements Comparable<Late> {
    @Override
    public int compareTo(Late other) {
      return dueNanos != other.dueNanos
          ? Long.compare(dueNanos, other.dueNanos)
          : Long.compare(order, other.order);
    }
  }

  private final List<ByteBuffer> slabs = new ArrayList<>();
  private final int[] lengths = new int[MAX_DATAGRAMS];
  private final int[] free = new int[MAX_DATAGRAMS];
  private int freeCount;

  private final int[] ringSlots = new int[MAX_DATAGRAMS];
  private final long[] ringDueNanos = new long[MAX_DATAGRAMS];
  private int ringHead;
  private int ringSize;
  private final PriorityQueue<Late> late = new PriorityQueue<>();
  private long order;
  private int polledSlot = -1;

  int size() {
    return ringSize + late.size();
  }

  /**
   * Keeps a copy of the datagram.
   *
   * @param inOrder whether everything added in order before is due no later
   * @return false when the line is full
   */
  boolean add(ByteBuffer datagram, long dueNanos, boolean inOrder) {
    int slot = takeSlot();
    if (slot < 0) {
      return false;
    }
    int length = datagram.remaining();
    slab(slot).clear().put(start(slot), datagram, datagram.position(), length);
    lengths[slot] = length;
    if (inOrder) {
      int tail = (ringHead + ringSize++) % MAX_DATAGRAMS;
      ringSlots[tail] = slot;
      ringDueNanos[tail] = dueNanos;
    } else {
      late.add(new Late(dueNanos, order++, slot));
    }
    return true;
  }

  /** When the next datagram is due, {@link Long#MAX_VALUE} when none is on its way. */
  long nextDueNanos() {
    long ring = ringSize == 0 ? Long.MAX_VALUE : ringDueNanos[ringHead];
    Late first = late.peek();
    return first == null ? ring : Math.min(ring, first.dueNanos);
  }

  /** The next datagram that is due, valid until the next call of this; null when there is none. */
  @Nullable ByteBuffer poll(long nowNanos) {
    if (polledSlot >= 0) {
      free[freeCount++] = polledSlot;
      polledSlot = -1;
    }
    if (nextDueNanos() > nowNanos) {
      return null;
    }
    Late first = late.peek();
    if (first != null && (ringSize == 0 || first.dueNanos <= ringDueNanos[ringHead])) {
      late.remove();
      polledSlot = first.slot;
    } else {
      polledSlot = ringSlots[ringHead];
      ringHead = (ringHead + 1) % MAX_DATAGRAMS;
      ringSize--;
    }
    ByteBuffer slab = slab(polledSlot);
    slab.clear().position(start(polledSlot)).limit(start(polledSlot) + lengths[polledSlot]);
    return slab;
  }

  private int takeSlot() {
    if (freeCount == 0) {
      int first = slabs.size() * SLOTS_PER_SLAB;
      if (first == MAX_DATAGRAMS) {
        return -1;
      }
      slabs.add(ByteBuffer.allocateDirect(SLOTS_PER_SLAB * SLOT_BYTES));
      for (int slot = first + SLOTS_PER_SLAB - 1; slot >= first; slot--) {
        free[freeCount++] = slot;
      }
    }
    return free[--freeCount];
  }

  private ByteBuffer slab(int slot) {
    return slabs.get(slot / SLOTS_PER_SLAB);
  }

  private static int start(int slot) {
    return slot % SLOTS_PER_SLAB * SLOT_BYTES;
  }
}
