package ebb.ledbat.connection;

import java.nio.ByteBuffer;

/**
 * A queue of bytes in chunks of a {@link ChunkPool}: appended at the end, copied out from anywhere,
 * discarded from the front. Positions are offsets from the front. An empty queue holds no chunk.
 */
final class ByteQueue {
  private static final int CHUNK = ChunkPool.CHUNK_BYTES;

  private final ChunkPool pool;
  private final long leaveBytes;
  private byte[][] chunks = {};
  private int headChunk;
  private int chunkCount;
  private int headOffset;
  private int size;

  /**
   * An empty queue.
   *
   * @param leaveBytes what it leaves of the pool to others
   */
  ByteQueue(ChunkPool pool, long leaveBytes) {
    this.pool = pool;
    this.leaveBytes = leaveBytes;
  }

  int size() {
    return size;
  }

  /**
   * Appends {@code length} bytes of {@code source} from absolute index {@code from}.
   *
   * @return how many; fewer only when the pool is exhausted
   */
  int append(ByteBuffer source, int from, int length) {
    int done = 0;
    while (done < length) {
      int used = headOffset + size;
      int room = chunkCount * CHUNK - used;
      if (room == 0) {
        byte[] chunk = pool.take(leaveBytes);
        if (chunk == null) {
          break;
        }
        push(chunk);
        room = CHUNK;
      }
      int bytes = Math.min(room, length - done);
      source.get(from + done, chunkAt(used / CHUNK), used % CHUNK, bytes);
      size += bytes;
      done += bytes;
    }
    return done;
  }

  /** Copies {@code length} bytes that start {@code offset} after the front to {@code target}. */
  void copy(int offset, int length, ByteBuffer target) {
    int at = headOffset + offset;
    int left = length;
    while (left > 0) {
      int inChunk = at % CHUNK;
      int bytes = Math.min(left, CHUNK - inChunk);
      target.put(chunkAt(at / CHUNK), inChunk, bytes);
      at += bytes;
      left -= bytes;
    }
  }

  void discard(int length) {
    size -= length;
    headOffset += length;
    while (headOffset >= CHUNK) {
      popHead();
      headOffset -= CHUNK;
    }
    if (size == 0) {
      clear();
    }
  }

  void clear() {
    while (chunkCount > 0) {
      popHead();
    }
    size = 0;
    headOffset = 0;
    if (chunks.length > 64) {
      chunks = new byte[0][];
    }
  }

  private byte[] chunkAt(int index) {
    return chunks[(headChunk + index) & (chunks.length - 1)];
  }

  private void popHead() {
    pool.give(chunks[headChunk]);
    chunks[headChunk] = NO_CHUNK;
    headChunk = (headChunk + 1) & (chunks.length - 1);
    chunkCount--;
  }

  private void push(byte[] chunk) {
    if (chunkCount == chunks.length) {
      byte[][] grown = new byte[Math.max(4, chunks.length * 2)][];
      for (int i = 0; i < chunkCount; i++) {
        grown[i] = chunkAt(i);
      }
      java.util.Arrays.fill(grown, chunkCount, grown.length, NO_CHUNK);
      chunks = grown;
      headChunk = 0;
    }
    chunks[(headChunk + chunkCount) & (chunks.length - 1)] = chunk;
    chunkCount++;
  }

  private static final byte[] NO_CHUNK = {};
}
