package ebb.ledbat.kompics;

import ebb.core.kompics.EbbSerializers;
import ebb.core.kompics.GatheringBuf;
import ebb.core.kompics.SerializationFailure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;
import se.sics.kompics.network.Msg;

/**
 * Serialises messages, one after the other, each into a buffer of the kind and size that the last
 * one would have needed. Not thread-safe.
 */
final class MessageEncoder {
  private static final int INITIAL_BUFFER_BYTES = 512;

  /** From this size on, clearing a new buffer costs more than getting a used one, or none. */
  private static final int LARGE_BYTES = 32 << 10;

  private final int limitBytes;
  private int likelyBytes = INITIAL_BUFFER_BYTES;

  /** Whether large messages mostly consist of arrays that need not be copied. */
  private boolean likelyShared = true;

  MessageEncoder(int maxMessageBytes) {
    limitBytes = OutgoingMessage.HEADROOM_BYTES + maxMessageBytes;
  }

  /**
   * Serialises one.
   *
   * @throws SerializationFailure when it has no serializer, is too large, or its serializer fails
   */
  OutgoingMessage encode(
      Msg<?, ?> message, Address destination, MessageNotify.@Nullable Req request)
      throws SerializationFailure {
    ByteBuf frame = newFrame();
    frame.writerIndex(OutgoingMessage.HEADROOM_BYTES);
    try {
      int size = EbbSerializers.encode(message, frame);
      likelyBytes = OutgoingMessage.HEADROOM_BYTES + size + size / 8;
      likelyShared =
          frame instanceof GatheringBuf gathering
              ? gathering.sharedBytes() > size / 2
              : likelyShared || likelyBytes < LARGE_BYTES;
      return OutgoingMessage.of(destination, frame, request);
    } catch (SerializationFailure failure) {
      frame.release();
      throw failure;
    }
  }

  /** A guess; it only costs time to be wrong. */
  private ByteBuf newFrame() {
    int likely = Math.min(likelyBytes, limitBytes);
    if (likely < LARGE_BYTES) {
      return Unpooled.buffer(likely, limitBytes);
    }
    return likelyShared
        ? new GatheringBuf(INITIAL_BUFFER_BYTES, limitBytes)
        : PooledByteBufAllocator.DEFAULT.heapBuffer(likely, limitBytes);
  }
}
