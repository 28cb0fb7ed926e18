package ebb.ledbat.endpoint;

import java.util.Arrays;

/** Slots by deadline: a binary heap in which every slot knows its place, so that it can move. */
final class TimerHeap {
  private Slot[] heap = new Slot[64];
  private int size;

  long earliestMicros() {
    return size == 0 ? Long.MAX_VALUE : heap[0].deadlineMicros;
  }

  /** The slot with the earliest deadline; the heap must not be empty. */
  Slot first() {
    return heap[0];
  }

  /** Puts the slot where {@code deadlineMicros} belongs; {@link Long#MAX_VALUE} takes it out. */
  void update(Slot slot, long deadlineMicros) {
    if (deadlineMicros == Long.MAX_VALUE) {
      remove(slot);
      slot.deadlineMicros = deadlineMicros;
      return;
    }
    slot.deadlineMicros = deadlineMicros;
    if (slot.heapIndex < 0) {
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, size * 2);
      }
      place(size++, slot);
    }
    siftUp(slot.heapIndex);
    siftDown(slot.heapIndex);
  }

  void remove(Slot slot) {
    int at = slot.heapIndex;
    if (at < 0) {
      return;
    }
    slot.heapIndex = -1;
    Slot last = heap[--size];
    if (last != slot) {
      place(at, last);
      siftUp(at);
      siftDown(last.heapIndex);
    }
  }

  private void place(int index, Slot slot) {
    heap[index] = slot;
    slot.heapIndex = index;
  }

  private void siftUp(int from) {
    int at = from;
    Slot slot = heap[at];
    while (at > 0 && heap[(at - 1) / 2].deadlineMicros > slot.deadlineMicros) {
      place(at, heap[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    place(at, slot);
  }

  private void siftDown(int from) {
    int at = from;
    Slot slot = heap[at];
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && heap[child + 1].deadlineMicros < heap[child].deadlineMicros) {
        child++;
      }
      if (heap[child].deadlineMicros >= slot.deadlineMicros) {
        break;
      }
      place(at, heap[child]);
      at = child;
    }
    place(at, slot);
  }
}
