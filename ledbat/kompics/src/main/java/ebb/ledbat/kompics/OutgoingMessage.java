package ebb.ledbat.kompics;

import ebb.core.kompics.GatheringBuf;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.network.Address;
import se.sics.kompics.network.MessageNotify;

/** A serialised message on its way out, and the frames that it is cut into. */
abstract class OutgoingMessage {
  /** Bytes to leave free in front of the serialised message. */
  static final int HEADROOM_BYTES = Frames.MESSAGE_HEADER_BYTES + Frames.SEGMENT_HEADER_BYTES;

  /** What a queued message costs beside its bytes. */
  private static final int OVERHEAD_BYTES = 256;

  final Address destination;
  final MessageNotify.@Nullable Req request;
  final int bodyBytes;
  private @Nullable ByteBuf frame;
  private boolean sent;

  /** Whose queue it came from; null before it is in one. */
  @Nullable MessagePeer peer;

  /** See {@link Prioritized}. */
  int priority = Prioritized.NORMAL;

  private OutgoingMessage(Address destination, ByteBuf frame, MessageNotify.@Nullable Req request) {
    this.destination = destination;
    this.frame = frame;
    this.request = request;
    this.bodyBytes = frame.readableBytes() - HEADROOM_BYTES;
  }

  /**
   * A message that was serialised.
   *
   * @param frame {@link #HEADROOM_BYTES} unused bytes and then the message; owned from here on
   */
  static OutgoingMessage of(
      Address destination, ByteBuf frame, MessageNotify.@Nullable Req request) {
    return frame instanceof GatheringBuf gathering
        ? new Gathered(destination, gathering, request)
        : new Contiguous(destination, frame, request);
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
    return out == null ? null : nextPiece(out, deliveryId);
  }

  abstract @Nullable ByteBuffer nextPiece(ByteBuf out, int deliveryId);

  /** Whether its pieces stay as they are after {@link #release}. */
  abstract boolean isShared();

  /** Gives the buffer back; idempotent. */
  void release() {
    ByteBuf out = frame;
    if (out != null) {
      frame = null;
      out.release();
    }
  }

  /**
   * One buffer. It begins with room for the first frame headers; later segment headers are written
   * over bytes that the connection has already copied, so that every segment is one piece and
   * nothing is allocated per segment.
   */
  private static final class Contiguous extends OutgoingMessage {
    private int nextByte = HEADROOM_BYTES;

    Contiguous(Address destination, ByteBuf frame, MessageNotify.@Nullable Req request) {
      super(destination, frame, request);
    }

    @Override
    @Nullable ByteBuffer nextPiece(ByteBuf out, int deliveryId) {
      if (nextByte == out.writerIndex()) {
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

    @Override
    boolean isShared() {
      return false;
    }
  }

  /** Several buffers, which nobody changes: headers are pieces of their own. */
  private static final class Gathered extends OutgoingMessage {
    private final ByteBuffer[] parts;
    private int part;
    private int missingBytes = bodyBytes;
    private int segmentBytes;

    Gathered(Address destination, GatheringBuf frame, MessageNotify.@Nullable Req request) {
      super(destination, frame, request);
      parts = frame.nioBuffers(HEADROOM_BYTES, bodyBytes);
    }

    @Override
    @Nullable ByteBuffer nextPiece(ByteBuf out, int deliveryId) {
      if (missingBytes == 0) {
        return null;
      }
      if (segmentBytes == 0) {
        boolean first = missingBytes == bodyBytes;
        segmentBytes = Math.min(missingBytes, Frames.MAX_SEGMENT_BYTES);
        ByteBuffer header = ByteBuffer.allocate(HEADROOM_BYTES);
        if (first) {
          header.put(Frames.MESSAGE).putInt(bodyBytes).putInt(deliveryId);
        }
        return header.put(Frames.SEGMENT).putShort((short) segmentBytes).flip();
      }
      while (!parts[part].hasRemaining()) {
        part++;
      }
      ByteBuffer rest = parts[part];
      int bytes = Math.min(rest.remaining(), segmentBytes);
      ByteBuffer piece = rest.duplicate().limit(rest.position() + bytes);
      rest.position(rest.position() + bytes);
      segmentBytes -= bytes;
      missingBytes -= bytes;
      return piece;
    }

    @Override
    boolean isShared() {
      return true;
    }
  }
}
