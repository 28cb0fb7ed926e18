package ebb.files;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded number of equal direct buffers, made as they are needed. Waiting for one is what bounds
 * how far reading a file runs ahead of the transport and of hashing. Thread-safe.
 */
final class ChunkPool {
  private final int chunkBytes;
  private final int maxChunks;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private int made;

  ChunkPool(int chunkBytes, int maxChunks) {
    this.chunkBytes = chunkBytes;
    this.maxChunks = maxChunks;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  /** An empty chunk with one holder; blocks while all are in use. */
  synchronized Chunk acquire() throws InterruptedException {
    while (free.isEmpty() && made == maxChunks) {
      wait();
    }
    ByteBuffer buffer = free.poll();
    if (buffer == null) {
      made++;
      buffer = ByteBuffer.allocateDirect(chunkBytes);
    }
    return new Chunk(buffer.clear());
  }

  private synchronized void release(ByteBuffer buffer) {
    free.addFirst(buffer);
    notifyAll();
  }

  /** A buffer on loan; goes back when the last of its holders lets go. */
  final class Chunk {
    final ByteBuffer buffer;
    private final AtomicInteger holders = new AtomicInteger(1);

    private Chunk(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    void retain() {
      holders.incrementAndGet();
    }

    void release() {
      if (holders.decrementAndGet() == 0) {
        ChunkPool.this.release(buffer);
      }
    }
  }
}
