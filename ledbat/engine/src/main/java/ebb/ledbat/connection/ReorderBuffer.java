package ebb.ledbat.connection;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packets that arrived before a packet of a lower sequence number. Bounded in packets by the number
 * that the selective ack can name and in bytes by the caller's window and the pool, which is
 * charged for the bookkeeping too: packets of one byte cost more than they carry. Positions are
 * unwrapped sequence numbers.
 */
final class ReorderBuffer {
  /** Farther ahead than this no sender may be: it is half of the sequence space. */
  static final int MAX_PACKETS = 1 << 14;

  private static final int INITIAL_CAPACITY = 64;

  /** What a packet costs beside its payload: an array's header and padding. */
  static final int PACKET_OVERHEAD_BYTES = 24;

  static final int SLOT_BYTES = 8;

  private final ChunkPool pool;
  private byte[] @Nullable [] slots = {};
  private int packets;
  private int bytes;
  private long highest;

  ReorderBuffer(ChunkPool pool) {
    this.pool = pool;
  }

  boolean isEmpty() {
    return packets == 0;
  }

  /** Payload bytes held. */
  int bytes() {
    return bytes;
  }

  /** One past the highest position held; meaningless when empty. */
  long end() {
    return highest + 1;
  }

  boolean contains(long position) {
    return packets > 0 && position <= highest && slots[index(position)] != null;
  }

  /**
   * Keeps a copy of a packet; {@code next} is the position that is awaited.
   *
   * @return false when there was no memory for it
   */
  boolean put(long next, long position, ByteBuffer source, int from, int length) {
    if ((position - next >= slots.length && !grow(next, position))
        || !pool.reserveOutOfOrder(length + PACKET_OVERHEAD_BYTES, reservedBytes())) {
      return false;
    }
    byte[] copy = new byte[length];
    source.get(from, copy);
    slots[index(position)] = copy;
    highest = packets == 0 ? position : Math.max(highest, position);
    packets++;
    bytes += length;
    return true;
  }

  /** Payload bytes of the packet at {@code position}, 0 when it is not here. */
  int payloadBytes(long position) {
    byte[] packet = contains(position) ? slots[index(position)] : null;
    return packet == null ? 0 : packet.length;
  }

  /** Takes the packet at {@code position} out, null when it is not here. */
  byte @Nullable [] take(long position) {
    if (!contains(position)) {
      return null;
    }
    byte[] packet = slots[index(position)];
    if (packet != null) {
      slots[index(position)] = null;
      packets--;
      bytes -= packet.length;
      pool.releaseOutOfOrder(packet.length + PACKET_OVERHEAD_BYTES);
      if (packets == 0 && slots.length > INITIAL_CAPACITY) {
        dropSlots();
      }
    }
    return packet;
  }

  void clear() {
    pool.releaseOutOfOrder(bytes + packets * PACKET_OVERHEAD_BYTES);
    dropSlots();
    packets = 0;
    bytes = 0;
  }

  private void dropSlots() {
    pool.releaseOutOfOrder(chargedBytes(slots.length));
    slots = new byte[0][];
  }

  /** What is counted of an array of slots: the smallest is part of every connection. */
  private static int chargedBytes(int capacity) {
    return Math.max(0, capacity - INITIAL_CAPACITY) * SLOT_BYTES;
  }

  private int reservedBytes() {
    return bytes + packets * PACKET_OVERHEAD_BYTES + chargedBytes(slots.length);
  }

  private int index(long position) {
    return (int) position & (slots.length - 1);
  }

  private boolean grow(long next, long position) {
    int capacity = Math.max(INITIAL_CAPACITY, slots.length);
    while (position - next >= capacity) {
      capacity *= 2;
    }
    int moreBytes = chargedBytes(capacity) - chargedBytes(slots.length);
    if (!pool.reserveOutOfOrder(moreBytes, reservedBytes())) {
      return false;
    }
    byte[] @Nullable [] old = slots;
    byte[] @Nullable [] grown = Arrays.copyOf(new byte[0][], capacity);
    if (packets > 0) {
      for (long p = next; p <= highest; p++) {
        grown[(int) p & (capacity - 1)] = old[(int) p & (old.length - 1)];
      }
    }
    slots = grown;
    return true;
  }
}
