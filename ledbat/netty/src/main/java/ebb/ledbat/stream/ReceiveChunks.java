package ebb.ledbat.stream;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one stream's received bytes are handed over in, used again where the reader gives
 * it back. What is too small for a chunk, or finds none free, gets memory of its own. Not
 * thread-safe.
 */
final class ReceiveChunks {
  /** Fewer bytes than this are not worth a chunk. */
  private static final int MIN_BYTES = StreamFlow.MAX_CHUNK_BYTES / 8;

  private final @Nullable ByteBuffer[] free;
  private final ByteBuffer[] chunks;
  private int made;
  private int freeCount;

  /**
   * @param maxBytes the most that all chunks may be; one chunk at least
   */
  ReceiveChunks(long maxBytes) {
    int count = (int) Math.max(1, Math.min(16, maxBytes / StreamFlow.MAX_CHUNK_BYTES));
    free = new ByteBuffer[count];
    chunks = new ByteBuffer[count];
  }

  /** A buffer at position 0 with room for that many bytes. */
  ByteBuffer take(int bytes) {
    if (bytes >= MIN_BYTES) {
      ByteBuffer chunk = freeCount > 0 ? free[--freeCount] : make();
      if (chunk != null) {
        return chunk.clear();
      }
    }
    return ByteBuffer.allocate(bytes);
  }

  private @Nullable ByteBuffer make() {
    if (made == chunks.length) {
      return null;
    }
    try {
      ByteBuffer chunk = ByteBuffer.allocateDirect(StreamFlow.MAX_CHUNK_BYTES);
      chunks[made++] = chunk;
      return chunk;
    } catch (OutOfMemoryError noDirectMemory) {
      return null;
    }
  }

  /** Takes a chunk back; anything else, and what is back already, is left alone. */
  @SuppressWarnings("ReferenceEquality") // buffers of equal content are equal
  void give(ByteBuffer chunk) {
    for (int i = 0; i < freeCount; i++) {
      if (free[i] == chunk) {
        return;
      }
    }
    for (int i = 0; i < made; i++) {
      if (chunks[i] == chunk) {
        free[freeCount++] = chunk;
        return;
      }
    }
  }
}
