package ebb.files;

import ebb.ledbat.stream.BlockingStream;
import ebb.ledbat.stream.StreamBrokenException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * Lays frames into chunks and the chunks into the stream. File content is read from disk straight
 * into the chunk that is handed to the transport. Small frames travel together; {@link #flush}
 * sends what waits. Thread-safe.
 */
final class FrameWriter {
  /** Less file content than this is not worth putting at the end of a chunk. */
  private static final int MIN_DATA_BYTES = 4 << 10;

  private final BlockingStream stream;
  private final ChunkPool pool;
  private ChunkPool.@Nullable Chunk chunk;

  FrameWriter(BlockingStream stream, ChunkPool pool) {
    this.stream = stream;
    this.pool = pool;
  }

  synchronized void hello(int features) throws StreamBrokenException, InterruptedException {
    Hello.encode(room(Hello.MAX_ENCODED_BYTES).buffer, features);
  }

  /** Adds a frame; it may wait here until {@link #flush}. */
  synchronized void put(Frame frame) throws StreamBrokenException, InterruptedException {
    FrameCodec.encode(frame, room(FrameCodec.MAX_ENCODED_BYTES).buffer);
  }

  /** Where the bytes of a DATA frame go besides the stream. */
  interface ContentSink {
    /**
     * Takes the content; {@code release} must be run when the bytes are no longer needed. Until
     * then they do not change.
     */
    void accept(ByteBuffer content, Runnable release) throws InterruptedException;
  }

  /**
   * Reads up to {@code maxBytes} from the file at its position and adds them as one DATA frame.
   *
   * @return bytes read, -1 at the end of the file
   */
  synchronized int data(FileChannel file, long maxBytes, ContentSink copy)
      throws IOException, InterruptedException {
    int wanted = (int) Math.min(maxBytes, MIN_DATA_BYTES);
    ChunkPool.Chunk target = room(Frame.HEADER_BYTES + wanted);
    ByteBuffer out = target.buffer;
    int start = out.position();
    int contentStart = start + Frame.HEADER_BYTES;
    int length = (int) Math.min(maxBytes, out.limit() - contentStart);
    ByteBuffer content = out.slice(contentStart, length);
    int read = file.read(content);
    if (read <= 0) {
      return read;
    }
    out.put(start, (byte) Frame.DATA);
    out.putInt(start + 1, read);
    out.position(contentStart + read);
    target.retain();
    copy.accept(content.flip(), target::release);
    if (out.remaining() < Frame.HEADER_BYTES + MIN_DATA_BYTES) {
      flush();
    }
    return read;
  }

  /** Sends what waits; blocks for credit. */
  synchronized void flush() throws StreamBrokenException, InterruptedException {
    ChunkPool.Chunk full = chunk;
    if (full != null && full.buffer.position() > 0) {
      chunk = null;
      stream.write(full.buffer.duplicate().flip(), full::release);
    }
  }

  private ChunkPool.Chunk room(int bytes) throws StreamBrokenException, InterruptedException {
    ChunkPool.Chunk current = chunk;
    if (current != null && current.buffer.remaining() < bytes) {
      flush();
      current = null;
    }
    if (current == null) {
      current = pool.acquire();
      chunk = current;
    }
    return current;
  }
}
