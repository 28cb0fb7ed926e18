package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * A message that arrived whole and is not decoded yet.
 *
 * @param deliveryId what its sender wants to hear when it was delivered, 0 for nothing
 * @param sizeBytes its length
 * @param chunks its bytes, on the heap; one chunk may be longer than the message
 */
record IncomingMessage(int deliveryId, int sizeBytes, List<byte[]> chunks) {
  /** What one costs beside its bytes until it is decoded. */
  private static final int OVERHEAD_BYTES = 256;

  /** What it counts against the bounds on what is not decoded yet. */
  int costBytes() {
    return sizeBytes + OVERHEAD_BYTES;
  }

  /** To be released where it was read; see {@link #giveUpChunks}. */
  ByteBuf payload() {
    return chunks.size() == 1
        ? Unpooled.wrappedBuffer(chunks.get(0), 0, sizeBytes)
        : Unpooled.wrappedBuffer(chunks.toArray(new byte[0][]));
  }

  /** Somebody still has the payload: its memory is not to be used for other messages. */
  void giveUpChunks() {
    chunks.clear();
  }
}
