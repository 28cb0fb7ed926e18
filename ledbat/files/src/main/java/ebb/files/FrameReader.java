package ebb.files;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream into frames. Lengths are checked before anything is allocated; the content of DATA
 * is handed out in place. One thread calls.
 */
final class FrameReader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final BlockingStream stream;
  private final Check check;
  private final ByteBuffer control = ByteBuffer.allocate(Frame.MAX_CONTROL_BYTES);
  private ByteBuffer current = NOTHING;
  private int dataBytes;

  /** Looked at before each wait for the peer. */
  interface Check {
    /** Throws when there is no use in waiting. */
    void run() throws ProtocolException;
  }

  FrameReader(BlockingStream stream) {
    this(stream, () -> {});
  }

  FrameReader(BlockingStream stream, Check check) {
    this.stream = stream;
    this.check = check;
  }

  /** Whether the next frame has begun to arrive, so that reading it is not mere waiting. */
  boolean ready() {
    return current.hasRemaining() || stream.readable();
  }

  /**
   * Reads the peer's hello.
   *
   * @return null when the peer ended the stream without a byte
   */
  Hello.@Nullable Fixed hello()
      throws ProtocolException, StreamBrokenException, InterruptedException {
    if (!fill(Hello.FIXED_BYTES, true)) {
      return null;
    }
    Hello.Fixed hello = Hello.decode(control);
    fill(hello.extensionBytes(), false);
    return hello;
  }

  /**
   * Reads the next frame's header, and its body unless it is DATA.
   *
   * @return the frame; null for DATA, whose content {@link #content} gives; {@link #atEnd} tells
   *     the end of the stream
   */
  @Nullable Frame next() throws ProtocolException, StreamBrokenException, InterruptedException {
    if (dataBytes > 0) {
      throw new IllegalStateException("content was not read");
    }
    if (!fill(Frame.HEADER_BYTES, true)) {
      ended = true;
      return null;
    }
    int type = control.get();
    int length = control.getInt();
    if (type == Frame.DATA) {
      if (length <= 0 || length > Frame.MAX_DATA_BYTES) {
        throw new ProtocolException(
            "a DATA frame of " + Integer.toUnsignedString(length) + " bytes");
      }
      dataBytes = length;
      return null;
    }
    if (length < 0 || length > Frame.MAX_CONTROL_BYTES) {
      throw new ProtocolException("a frame of " + Integer.toUnsignedString(length) + " bytes");
    }
    fill(length, false);
    return FrameCodec.decode(type, control);
  }

  private boolean ended;

  /** Whether the last {@link #next} met the peer's end of the stream. */
  boolean atEnd() {
    return ended;
  }

  /** How much of the DATA frame is still to be read. */
  int dataBytes() {
    return dataBytes;
  }

  /** The next piece of the DATA frame: shared, read-only bytes that never change. */
  ByteBuffer content() throws ProtocolException, StreamBrokenException, InterruptedException {
    need();
    int length = Math.min(dataBytes, current.remaining());
    ByteBuffer piece = current.slice(current.position(), length);
    current.position(current.position() + length);
    dataBytes -= length;
    return piece;
  }

  /** Fills {@link #control} with exactly {@code bytes}; false at a clean end before the first. */
  private boolean fill(int bytes, boolean mayEnd)
      throws ProtocolException, StreamBrokenException, InterruptedException {
    control.clear().limit(bytes);
    while (control.hasRemaining()) {
      if (!current.hasRemaining()) {
        ByteBuffer next = read();
        if (next == null) {
          if (mayEnd && control.position() == 0) {
            return false;
          }
          throw new ProtocolException("the stream ended inside a frame");
        }
        current = next.duplicate();
        continue;
      }
      int length = Math.min(control.remaining(), current.remaining());
      control.put(current.slice(current.position(), length));
      current.position(current.position() + length);
    }
    control.flip();
    return true;
  }

  private void need() throws ProtocolException, StreamBrokenException, InterruptedException {
    while (!current.hasRemaining()) {
      ByteBuffer next = read();
      if (next == null) {
        throw new ProtocolException("the stream ended inside a frame");
      }
      current = next.duplicate();
    }
  }

  private @Nullable ByteBuffer read()
      throws ProtocolException, StreamBrokenException, InterruptedException {
    if (!stream.readable()) {
      check.run();
    }
    return stream.read();
  }
}
