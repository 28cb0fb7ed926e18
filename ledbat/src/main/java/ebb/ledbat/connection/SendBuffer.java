package ebb.ledbat.connection;

import java.nio.ByteBuffer;

/**
 * The stream that the application writes, from the oldest unacknowledged byte on, and where it
 * ends. Offsets count from the stream's first byte. It knows nothing of packets.
 */
final class SendBuffer {
  /** Room for less than this is not worth waking a writer for. */
  private static final int WAKE_UP_BYTES = 64 << 10;

  private final int capacityBytes;
  private final ByteQueue queue;
  private long ackedOffset;
  private long unsentOffset;
  private boolean finRequested;
  private boolean finSent;
  private boolean writerWaits;

  SendBuffer(int capacityBytes, ChunkPool pool) {
    this.capacityBytes = capacityBytes;
    // Were all memory full of what both sides have to send, neither could receive, and both would
    // wait for ever.
    queue = new ByteQueue(pool, receivingBytes(pool.maxBytes()));
  }

  /** What no send buffer takes: enough for windows that are not closed, at most three quarters. */
  private static long receivingBytes(long poolBytes) {
    long chunks = 5L * ChunkPool.CHUNK_BYTES;
    return Math.min(Math.max(poolBytes / 4, chunks), poolBytes / 4 * 3);
  }

  int write(ByteBuffer source) {
    int bytes = Math.min(source.remaining(), writableBytes());
    int taken = queue.append(source, source.position(), bytes);
    writerWaits = taken < source.remaining() || writableBytes() == 0;
    source.position(source.position() + taken);
    return taken;
  }

  int writableBytes() {
    return finRequested ? 0 : Math.max(0, capacityBytes - queue.size());
  }

  /** Whether the application is owed an onWritable; asking answers it. */
  boolean takeWritable() {
    if (writerWaits && writableBytes() >= Math.min(capacityBytes / 4, WAKE_UP_BYTES)) {
      writerWaits = false;
      return true;
    }
    return false;
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
