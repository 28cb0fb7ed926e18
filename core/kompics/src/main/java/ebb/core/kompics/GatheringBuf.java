package ebb.core.kompics;

import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * A buffer on the heap that serializers write to as to any other, and that large arrays can be put
 * into as they are: see {@link Wire#writeShared}. No memory of it is ever used again for something
 * else, so that what was written may be kept by reference. Not thread-safe.
 */
public final class GatheringBuf extends CompositeByteBuf {
  /** For what a serializer writes after a shared array. */
  private static final int SPARE_BYTES = 64;

  private static final int MAX_PARTS = 1_024;

  private int sharedBytes;

  /**
   * An empty buffer.
   *
   * @param firstBytes room before it has to grow
   * @param maxBytes its largest size
   */
  public GatheringBuf(int firstBytes, int maxBytes) {
    super(UnpooledByteBufAllocator.DEFAULT, false, MAX_PARTS);
    maxCapacity(maxBytes);
    addSpare(firstBytes);
  }

  /**
   * Appends an array without copying it; it must never be changed again.
   *
   * @throws IndexOutOfBoundsException when that is beyond the largest size
   */
  public void writeShared(byte[] bytes) {
    if (bytes.length > maxWritableBytes()) {
      throw new IndexOutOfBoundsException(
          "%d bytes at %d, limit %d".formatted(bytes.length, writerIndex(), maxCapacity()));
    }
    capacity(writerIndex()); // What is spare would come first.
    addComponent(true, Unpooled.wrappedBuffer(bytes));
    addSpare(Math.min(SPARE_BYTES, maxWritableBytes()));
    sharedBytes += bytes.length;
  }

  private void addSpare(int bytes) {
    if (bytes > 0) {
      addComponent(false, Unpooled.wrappedBuffer(new byte[bytes]));
    }
  }

  /** How much of it was not copied. */
  public int sharedBytes() {
    return sharedBytes;
  }
}
