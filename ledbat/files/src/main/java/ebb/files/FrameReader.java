package ebb.files;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
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
  private @Nullable Received received;
  private int dataBytes;

  /** Looked at before each wait for the peer. */
  interface Check {
    /** Throws when there is no use in waiting. */
    void run() throws ProtocolException;
  }

  /** A buffer of the stream, which has it back when nobody needs it any more. */
  private static final class Received {
    final BlockingStream stream;
    final ByteBuffer bytes;
    final AtomicInteger holders = new AtomicInteger(1);

    Received(BlockingStream stream, ByteBuffer bytes) {
      this.stream = stream;
      this.bytes = bytes;
    }

    void release() {
      if (holders.decrementAndGet() == 0) {
        stream.recycle(bytes);
      }
    }
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
  Hello.@Nullable Heard hello()
      throws ProtocolException, StreamBrokenException, InterruptedException {
    if (!fill(Hello.FIXED_BYTES, true)) {
      return null;
    }
    Hello.Fixed hello = Hello.decode(control);
    fill(hello.extensionBytes(), false);
    return new Hello.Heard(hello.version(), control.hasRemaining() ? control.get() & 0xff : 0);
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

  /**
   * The next piece of the DATA frame, in place: bytes that do not change before the next call of
   * any method here, or for longer where {@link #hold} was called.
   */
  ByteBuffer content() throws ProtocolException, StreamBrokenException, InterruptedException {
    need();
    int length = Math.min(dataBytes, current.remaining());
    ByteBuffer piece = current.slice(current.position(), length);
    current.position(current.position() + length);
    dataBytes -= length;
    return piece;
  }

  /**
   * Keeps the bytes of the last {@link #content} as they are.
   *
   * @return to be run once, on any thread, when they are no longer needed; if it never is, their
   *     memory is not used again
   */
  Runnable hold() {
    Received holding = received;
    if (holding == null) {
      throw new IllegalStateException("nothing was read");
    }
    holding.holders.incrementAndGet();
    return holding::release;
  }

  /** Fills {@link #control} with exactly {@code bytes}; false at a clean end before the first. */
  private boolean fill(int bytes, boolean mayEnd)
      throws ProtocolException, StreamBrokenException, InterruptedException {
    control.clear().limit(bytes);
    while (control.hasRemaining()) {
      if (!current.hasRemaining()) {
        if (!read()) {
          if (mayEnd && control.position() == 0) {
            return false;
          }
          throw new ProtocolException("the stream ended inside a frame");
        }
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
      if (!read()) {
        throw new ProtocolException("the stream ended inside a frame");
      }
    }
  }

  /** Puts the next bytes into {@link #current}, all of which was used; false at the end. */
  private boolean read() throws ProtocolException, StreamBrokenException, InterruptedException {
    Received used = received;
    if (used != null) {
      received = null;
      used.release();
    }
    current = NOTHING;
    if (!stream.readable()) {
      check.run();
    }
    ByteBuffer next = stream.read();
    if (next == null) {
      return false;
    }
    received = new Received(stream, next);
    current = next.duplicate();
    return true;
  }
}
