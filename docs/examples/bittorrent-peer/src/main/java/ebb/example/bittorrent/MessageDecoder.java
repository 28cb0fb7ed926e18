package ebb.example.bittorrent;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes, which comes in chunks of any size, into messages. It holds at most one
 * message, whose length is checked before anything is allocated for it.
 */
final class MessageDecoder {
  private final int pieceCount;
  private final int maxBytes;
  private final ByteBuffer length = ByteBuffer.allocate(4);
  private @Nullable ByteBuffer message;

  MessageDecoder(int pieceCount) {
    this.pieceCount = pieceCount;
    maxBytes =
        Math.max(
            PeerMessage.Piece.HEADER_BYTES + Block.MAX_BYTES,
            1 + PeerMessage.Bitfield.bytes(pieceCount));
  }

  /** The next whole message; null when more bytes are needed, and then {@code in} is empty. */
  @Nullable PeerMessage next(ByteBuffer in) throws ProtocolException {
    ByteBuffer filling = message;
    if (filling == null) {
      move(in, length);
      if (length.hasRemaining()) {
        return null;
      }
      int bytes = length.getInt(0);
      if (bytes < 0 || bytes > maxBytes) {
        throw new ProtocolException("a message of " + Integer.toUnsignedLong(bytes) + " bytes");
      }
      filling = ByteBuffer.allocate(bytes);
      message = filling;
    }
    move(in, filling);
    if (filling.hasRemaining()) {
      return null;
    }
    length.clear();
    message = null;
    return PeerMessage.decode(filling.flip(), pieceCount);
  }

  static void move(ByteBuffer from, ByteBuffer to) {
    int bytes = Math.min(from.remaining(), to.remaining());
    to.put(from.slice(from.position(), bytes));
    from.position(from.position() + bytes);
  }
}
