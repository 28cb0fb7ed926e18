package ebb.net.iperf;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one direction of a control connection into states, JSON texts and errors. What comes next is
 * not written in the bytes: who reads says it with {@link #expect}. Holds one unfinished piece at
 * most. Not thread-safe.
 */
public final class Iperf3Frames {
  /** One piece. */
  sealed interface Frame {}

  /** What the other side is doing now. */
  record State(int state) implements Frame {}

  /** Parameters or results. */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  record Json(byte[] bytes) implements Frame {}

  /**
   * Why the server gave up.
   *
   * @param code iperf3's own
   */
  record ServerError(int code) implements Frame {}

  /** What cannot be; nothing after it is read. */
  record Wrong(String why) implements Frame {}

  private static final int LENGTH_BYTES = 4;

  private int jsonAtMost;
  private byte @Nullable [] piece;
  private int bytes;
  private boolean error;
  private boolean json;
  private boolean broken;

  /** After the states so far a JSON text comes, of so many bytes at most. */
  void expect(int atMostBytes) {
    jsonAtMost = atMostBytes;
  }

  /**
   * The next piece.
   *
   * @return null when the bytes there are do not complete one
   */
  @Nullable Frame next(ByteBuf in) {
    while (!broken && in.isReadable()) {
      byte[] current = piece;
      if (current != null) {
        int taken = Math.min(current.length - bytes, in.readableBytes());
        in.readBytes(current, bytes, taken);
        bytes += taken;
        if (bytes < current.length) {
          return null;
        }
        Frame frame = complete(current);
        if (frame != null) {
          return frame;
        }
      } else if (jsonAtMost > 0) {
        begin(LENGTH_BYTES);
      } else {
        int state = in.readByte();
        if (state != Iperf3Wire.SERVER_ERROR) {
          return new State(state);
        }
        error = true;
        begin(Iperf3Wire.ERROR_BYTES);
      }
    }
    return null;
  }

  private void begin(int length) {
    piece = new byte[length];
    bytes = 0;
  }

  /** Null when it was only the length of what follows. */
  private @Nullable Frame complete(byte[] whole) {
    piece = null;
    if (error) {
      error = false;
      return new ServerError(number(whole));
    }
    if (json) {
      json = false;
      jsonAtMost = 0;
      return new Json(whole);
    }
    int length = number(whole);
    if (length <= 0 || length > jsonAtMost) {
      broken = true;
      return new Wrong("a text of " + (length & 0xFFFF_FFFFL) + " bytes");
    }
    json = true;
    begin(length);
    return null;
  }

  private static int number(byte[] four) {
    return ByteBuffer.wrap(four).getInt();
  }
}
