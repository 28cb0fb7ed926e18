package ebb.ledbat.stream;

import java.nio.ByteBuffer;

/** What a {@link BlockingStream} asks of its transport. Calls never block. */
public interface StreamCommands {
  /** Sends the buffer's remaining bytes, which stay unchanged until they are reported written. */
  void write(ByteBuffer bytes);

  /** Allows that many more bytes to be delivered. */
  void demand(long bytes);

  /** Half-close. */
  void finish();

  /** Drops the stream at once. */
  void abort();
}
