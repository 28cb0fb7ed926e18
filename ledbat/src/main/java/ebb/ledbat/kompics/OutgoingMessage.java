package ebb.ledbat.kompics;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;

/**
 * A serialised message on its way out. Its buffer begins with room for the first frame headers;
 * later segment headers are written over bytes that the connection has already copied, so that
 * every segment is one contiguous piece and nothing is allocated per segment.
 */
final class OutgoingMessage {
  /** Bytes to leave free in front of the serialised message. */
  static final int HEADROOM_BYTES = Frames.MESSAGE_HEADER_BYTES + Frames.SEGMENT_HEADER_BYTES;

  /** What a queued message costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  final Address destination;
  final MessageNotify.@Nullable Req request;
  final int bodyBytes;
  private @Nullable ByteBuf frame;
  private int nextByte = HEADROOM_BYTES;
  private boolean sent;

  /**
   * @param frame {@link #HEADROOM_BYTES} unused bytes and then the message; owned from here on
   */
  OutgoingMessage(Address destination, ByteBuf frame, MessageNotify.@Nullable Req request) {
    this.destination = destination;
    this.frame = frame;
    this.request = request;
    this.bodyBytes = frame.readableBytes() - HEADROOM_BYTES;
  }

  boolean wantsDelivery() {
    return request != null && request.notifyOfDelivery;
  }

  /** The transport has taken it whole. */
  void markSent() {
    sent = true;
  }

  boolean wasSent() {
    return sent;
  }

  /** What it counts against the bounds on queued bytes. */
  long costBytes() {
    return (long) bodyBytes + OVERHEAD_BYTES;
  }

  /** The next piece to write, null after the last; the one before must have been written whole. */
  @Nullable ByteBuffer nextPiece(int deliveryId) {
    ByteBuf out = frame;
    if (out == null || nextByte == out.writerIndex()) {
      return null;
    }
    int start = nextByte - Frames.SEGMENT_HEADER_BYTES;
    int length = Math.min(out.writerIndex() - nextByte, Frames.MAX_SEGMENT_BYTES);
    out.setByte(start, Frames.SEGMENT);
    out.setShort(start + 1, length);
    if (nextByte == HEADROOM_BYTES) {
      start = 0;
      out.setByte(0, Frames.MESSAGE);
      out.setInt(1, bodyBytes);
      out.setInt(5, deliveryId);
    }
    nextByte += length;
    return out.nioBuffer(start, nextByte - start);
  }

  /** Gives the buffer back; idempotent. */
  void release() {
    ByteBuf out = frame;
    if (out != null) {
      frame = null;
      out.release();
    }
  }
}
