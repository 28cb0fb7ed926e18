package ebb.ledbat.connection;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The stream that the application writes, from the oldest unacknowledged byte on, and where it
 * ends. Offsets count from the stream's first byte. It knows nothing of packets.
 */
final class SendBuffer {
  /** Room for less than this is not worth waking a writer for. */
  private static final int WAKE_UP_BYTES = 64 << 10;

  /**
   * Bytes that wait for their first transmission: enough to bridge a writer's delay of a
   * millisecond at 16 Gbit/s, few enough to be still in the processor's cache when their turn
   * comes.
   */
  private static final int MAX_UNSENT_BYTES = 2 << 20;

  private final int capacityBytes;
  private final ByteQueue queue;
  private long ackedOffset;
  private long unsentOffset;
  private boolean finRequested;
  private boolean finSent;
  private boolean writerWaits;
  private boolean waitsForMemory;

  SendBuffer(int capacityBytes, ChunkPool pool) {
    this.capacityBytes = capacityBytes;
    queue = new ByteQueue(pool, pool.receivingBytes());
  }

  /**
   * Takes what there is room for.
   *
   * @param shared whether the bytes will not change, and may stay where they are
   */
  int write(ByteBuffer source, boolean shared) {
    int bytes = Math.min(source.remaining(), writableBytes());
    int taken =
        shared && source.hasArray() && bytes >= ByteQueue.MIN_SHARED_BYTES
            ? queue.appendShared(source.array(), source.arrayOffset() + source.position(), bytes)
            : queue.append(source, source.position(), bytes);
    writerWaits = taken < source.remaining() || writableBytes() == 0;
    waitsForMemory = taken < bytes;
    source.position(source.position() + taken);
    return taken;
  }

  /**
   * Has {@code writer} put bytes where they will be sent from; 0 without room for {@code least}.
   */
  int writeInPlace(int least, Consumer<ByteBuffer> writer) {
    int roomBytes = writableBytes();
    int put = roomBytes < least ? 0 : queue.appendInPlace(least, roomBytes, writer);
    if (put > 0) {
      writerWaits = put == roomBytes;
      waitsForMemory = false;
    }
    return put;
  }

  int writableBytes() {
    if (finRequested) {
      return 0;
    }
    long room = Math.min(capacityBytes - queue.size(), MAX_UNSENT_BYTES - unsentBytes());
    return (int) Math.max(0, room);
  }

  /** Whether the application is owed an onWritable; asking answers it. */
  boolean takeWritable() {
    if (writerWaits && writableBytes() >= Math.min(capacityBytes / 4, WAKE_UP_BYTES)) {
      writerWaits = false;
      return true;
    }
    return false;
  }

  /** Whether the application has more than there was room for. */
  boolean writerWaits() {
    return writerWaits && !finRequested;
  }

  /** Whether the last write found room here and none in the memory that all connections share. */
  boolean waitsForMemory() {
    return waitsForMemory;
  }

  /**
   * There is memory again, which acknowledgements of this connection would not have told.
   *
   * @return whether the application is owed an onWritable
   */
  boolean takeMemory() {
    boolean owed = waitsForMemory && writableBytes() > 0;
    waitsForMemory = false;
    writerWaits &= !owed;
    return owed;
  }

  /** Nothing more will be written. */
  void finish() {
    finRequested = true;
  }

  boolean finRequested() {
    return finRequested;
  }

  /** Whether the FIN is what has to be sent next. */
  boolean finDue() {
    return finRequested && !finSent && unsentBytes() == 0;
  }

  void onFinSent() {
    finSent = true;
  }

  boolean finSent() {
    return finSent;
  }

  /** Where the first byte never sent is, or will be. */
  long unsentOffset() {
    return unsentOffset;
  }

  long unsentBytes() {
    return ackedOffset + queue.size() - unsentOffset;
  }

  void onSent(int bytes) {
    unsentOffset += bytes;
  }

  void copy(long offset, int bytes, ByteBuffer target) {
    queue.copy((int) (offset - ackedOffset), bytes, target);
  }

  /** Every byte before {@code offset} is acknowledged. */
  void onAcked(long offset) {
    queue.discard((int) (offset - ackedOffset));
    ackedOffset = offset;
  }

  void release() {
    unsentOffset = ackedOffset; // Nothing is left to send.
    queue.clear();
  }
}
