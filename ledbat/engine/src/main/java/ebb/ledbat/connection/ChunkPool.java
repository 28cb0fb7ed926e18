package ebb.ledbat.connection;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all connections of one endpoint buffer bytes in: equal chunks, at most a fixed
 * number of bytes in all. It keeps a few free chunks, so that a steady flow allocates nothing.
 * Whoever needs more than a little gets pieces of large arrays, which stay: a collector copies
 * small ones that live on, and stops the program for that.
 */
public final class ChunkPool {
  public static final int CHUNK_BYTES = 16 << 10;
  private static final int MAX_FREE_CHUNKS = 512;

  /** What is used before the first slab is made: an endpoint with little to do stays small. */
  private static final int MAX_BYTES_WITHOUT_SLABS = 1 << 20;

  /** With its header it just fits into the smallest region of G1, which never copies it. */
  private static final int CHUNKS_PER_SLAB = (1 << 20) / CHUNK_BYTES - 1;

  /** More than these would stay for ever after a short need. */
  private static final int MAX_SLABS = MAX_FREE_CHUNKS / CHUNKS_PER_SLAB;

  /** {@link #CHUNK_BYTES} of an array. */
  static final class Chunk {
    final byte[] array;
    final int from;
    private final boolean ofSlab;

    private Chunk(byte[] array, int from, boolean ofSlab) {
      this.array = array;
      this.from = from;
      this.ofSlab = ofSlab;
    }

    int end() {
      return from + CHUNK_BYTES;
    }
  }

  private final ArrayDeque<Chunk> free = new ArrayDeque<>();
  private int slabs;
  private final long maxBytes;
  private long usedBytes;
  private long outOfOrderBytes;

  public ChunkPool(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * A chunk of unknown content, or null when the cap is reached.
   *
   * @param leaveBytes what must be left for others
   */
  @Nullable Chunk take(long leaveBytes) {
    if (usedBytes + CHUNK_BYTES > maxBytes - leaveBytes) {
      return null;
    }
    usedBytes += CHUNK_BYTES;
    Chunk chunk = free.poll();
    return chunk != null ? chunk : newChunk();
  }

  private Chunk newChunk() {
    if (usedBytes <= MAX_BYTES_WITHOUT_SLABS || slabs == MAX_SLABS) {
      return new Chunk(new byte[CHUNK_BYTES], 0, false);
    }
    slabs++;
    byte[] slab = new byte[CHUNKS_PER_SLAB * CHUNK_BYTES];
    for (int i = 1; i < CHUNKS_PER_SLAB; i++) {
      free.push(new Chunk(slab, i * CHUNK_BYTES, true));
    }
    return new Chunk(slab, 0, true);
  }

  void give(Chunk chunk) {
    usedBytes -= CHUNK_BYTES;
    if (chunk.ofSlab || free.size() < MAX_FREE_CHUNKS) {
      free.push(chunk);
    }
  }

  /**
   * Counts bytes of somebody else's arrays that are referred to for a while.
   *
   * @param leaveBytes what must be left for others
   * @return how many of them are within the bound
   */
  int lend(int bytes, long leaveBytes) {
    int lent = (int) Math.max(0, Math.min(bytes, maxBytes - leaveBytes - usedBytes));
    usedBytes += lent;
    return lent;
  }

  /** They are referred to no more. */
  void takeBack(int bytes) {
    usedBytes -= bytes;
  }

  /**
   * Counts memory that is not a chunk: packets that wait for one before them. All of them together
   * get half of the memory, so that streams go on that are in order; and each connection as much as
   * it leaves to the next (Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
   * Packet Switches", 1998), so that peers who send nothing in order keep none of the others from
   * it.
   *
   * @param heldBytes what the same connection has reserved already
   */
  boolean reserveOutOfOrder(int bytes, int heldBytes) {
    long leftBytes = maxBytes / 2 - outOfOrderBytes - bytes;
    if (heldBytes + bytes > leftBytes || usedBytes + bytes > maxBytes) {
      return false;
    }
    usedBytes += bytes;
    outOfOrderBytes += bytes;
    return true;
  }

  void releaseOutOfOrder(int bytes) {
    usedBytes -= bytes;
    outOfOrderBytes -= bytes;
  }

  /** Bytes taken and not given back. */
  public long usedBytes() {
    return usedBytes;
  }

  long maxBytes() {
    return maxBytes;
  }

  /**
   * What no send buffer takes: enough for windows that are not closed, at most three quarters. Were
   * all memory full of what both sides have to send, neither could receive, and both would wait for
   * ever.
   */
  long receivingBytes() {
    long chunks = 5L * CHUNK_BYTES;
    return Math.min(Math.max(maxBytes / 4, chunks), maxBytes / 4 * 3);
  }

  /** Chunks that send buffers may still take. */
  public int sendingChunks() {
    return (int) Math.max(0, (freeBytes() - receivingBytes()) / CHUNK_BYTES);
  }

  /** Bytes that may still be taken. */
  long freeBytes() {
    return maxBytes - usedBytes;
  }
}
