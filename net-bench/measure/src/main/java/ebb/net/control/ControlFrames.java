package ebb.net.control;

import ebb.net.control.ControlMessage.Malformed;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into messages, holding at most one unfinished message. After a {@link
 * Malformed} the stream is of no more use. Not thread-safe.
 */
public final class ControlFrames {
  private final byte[] length = new byte[ControlCodec.LENGTH_BYTES];
  private int lengthBytes;
  private byte @Nullable [] body;
  private int bodyBytes;
  private boolean broken;

  /**
   * The next message; takes no byte behind it, so that what follows may be something else.
   *
   * @return null when the bytes there are do not complete one
   */
  public @Nullable ControlMessage next(ByteBuf in) {
    if (broken) {
      in.skipBytes(in.readableBytes());
      return null;
    }
    while (lengthBytes < length.length) {
      if (!in.isReadable()) {
        return null;
      }
      length[lengthBytes++] = in.readByte();
    }
    byte[] current = body;
    if (current == null) {
      int bytes = (length[0] & 0xFF) << 8 | (length[1] & 0xFF);
      if (bytes == 0 || bytes > ControlCodec.MAX_BODY_BYTES) {
        broken = true;
        return new Malformed("a message of " + bytes + " bytes");
      }
      current = new byte[bytes];
      body = current;
    }
    int taken = Math.min(current.length - bodyBytes, in.readableBytes());
    in.readBytes(current, bodyBytes, taken);
    bodyBytes += taken;
    if (bodyBytes < current.length) {
      return null;
    }
    body = null;
    bodyBytes = 0;
    lengthBytes = 0;
    ControlMessage message = ControlCodec.decode(current);
    broken = message instanceof Malformed;
    return message;
  }
}
