package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * A message that arrived whole and is not decoded yet.
 *
 * @param deliveryId what its sender wants to hear when it was delivered, 0 for nothing
 * @param sizeBytes its length
 * @param chunks its bytes, on the heap
 */
record IncomingMessage(int deliveryId, int sizeBytes, List<byte[]> chunks) {
  ByteBuf payload() {
    return Unpooled.wrappedBuffer(chunks.toArray(new byte[0][]));
  }
}
