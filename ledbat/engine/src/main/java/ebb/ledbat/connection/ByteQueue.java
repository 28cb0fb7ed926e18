package ebb.ledbat.connection;

import ebb.ledbat.connection.ChunkPool.Chunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of bytes: appended at the end, copied out from anywhere, discarded from the front. Bytes
 * are copied into chunks of a {@link ChunkPool}, or stay where they are and are referred to; either
 * way the pool's bound counts them. Positions are offsets from the front. An empty queue holds no
 * chunk.
 */
final class ByteQueue {
  /** To refer to fewer bytes than this costs more than to copy them. */
  static final int MIN_SHARED_BYTES = 4 << 10;

  private static final int CHUNK = ChunkPool.CHUNK_BYTES;
  private static final int FIRST_PARTS = 4;
  private static final int MAX_KEPT_PARTS = 64;
  private static final byte[] NO_ARRAY = {};

  private final ChunkPool pool;
  private final long leaveBytes;

  // The ring of parts, by their numbers modulo its length. Stream positions count from the first
  // byte ever appended; a part ends where the next one starts.
  private byte[][] arrays = {};
  private int[] froms = {};
  private long[] starts = {};

  /** Null for what is referred to. */
  private @Nullable Chunk[] chunks = {};

  private int firstPart;
  private int endPart;
  private int cursorPart;
  private long front;
  private long end;

  /** Of what is referred to, what comes before this was given back to the pool's bound. */
  private long lentFrom;

  /** The chunk that takes the next copied bytes; it is given back when its last byte goes. */
  private @Nullable Chunk open;

  private int openUsed;

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
    return (int) (end - front);
  }

  /**
   * Appends {@code length} bytes of {@code source} from absolute index {@code from}.
   *
   * @return how many; fewer only when the pool is exhausted
   */
  int append(ByteBuffer source, int from, int length) {
    int done = 0;
    while (done < length) {
      Chunk chunk = chunkWithRoom();
      if (chunk == null) {
        break;
      }
      int bytes = Math.min(CHUNK - openUsed, length - done);
      source.get(from + done, chunk.array, chunk.from + openUsed, bytes);
      extend(chunk.array, chunk.from + openUsed, bytes, chunk);
      openUsed += bytes;
      done += bytes;
    }
    return done;
  }

  /** The chunk that takes the next bytes; null when the pool is exhausted. */
  private @Nullable Chunk chunkWithRoom() {
    Chunk chunk = open;
    if (chunk == null || openUsed == CHUNK) {
      chunk = pool.take(leaveBytes);
      if (chunk != null) {
        open = chunk;
        openUsed = 0;
      }
    }
    return chunk;
  }

  /**
   * Appends what {@code writer} puts into room of {@code least} to {@code most} bytes.
   *
   * @return how many; 0 also when no chunk has such room in one piece
   */
  int appendInPlace(int least, int most, Consumer<ByteBuffer> writer) {
    Chunk chunk = chunkWithRoom();
    if (chunk == null || CHUNK - openUsed < least) {
      return 0;
    }
    int from = chunk.from + openUsed;
    ByteBuffer room = ByteBuffer.wrap(chunk.array, from, Math.min(CHUNK - openUsed, most));
    writer.accept(room);
    int bytes = room.position() - from;
    if (bytes > 0) {
      extend(chunk.array, from, bytes, chunk);
      openUsed += bytes;
    } else if (front == end) {
      clear();
    }
    return bytes;
  }

  /**
   * Appends {@code length} bytes of {@code array}, which must not change from here on, without
   * copying them.
   *
   * @return how many; fewer only when the pool is exhausted
   */
  int appendShared(byte[] array, int from, int length) {
    int bytes = pool.lend(length, leaveBytes);
    if (bytes > 0) {
      extend(array, from, bytes, null);
    }
    return bytes;
  }

  private void extend(byte[] array, int from, int bytes, @Nullable Chunk chunk) {
    int last = (endPart - 1) & (arrays.length - 1);
    boolean continues =
        endPart != firstPart
            && arrays[last] == array
            && chunks[last] == chunk
            && froms[last] + (end - starts[last]) == from;
    if (!continues) {
      push(array, from, chunk);
    }
    end += bytes;
  }

  /** Copies {@code length} bytes that start {@code offset} after the front to {@code target}. */
  void copy(int offset, int length, ByteBuffer target) {
    long at = front + offset;
    int left = length;
    for (int part = find(at); left > 0; part++) {
      cursorPart = part;
      int index = part & (arrays.length - 1);
      int inPart = (int) (at - starts[index]);
      int bytes = (int) Math.min(endOf(part) - at, left);
      target.put(arrays[index], froms[index] + inPart, bytes);
      at += bytes;
      left -= bytes;
    }
  }

  /** The part with position {@code at}; what is asked for mostly follows what was asked before. */
  private int find(long at) {
    int part = cursorPart;
    if (part - firstPart >= 0 && part - endPart < 0 && startOf(part) <= at) {
      if (at < endOf(part)) {
        return part;
      }
      if (part + 1 - endPart < 0 && at < endOf(part + 1)) {
        return part + 1;
      }
    }
    int low = 0;
    int high = endPart - firstPart - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (startOf(firstPart + middle) <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return firstPart + low;
  }

  private long startOf(int part) {
    return starts[part & (arrays.length - 1)];
  }

  private long endOf(int part) {
    return part + 1 == endPart ? end : startOf(part + 1);
  }

  void discard(int length) {
    front += length;
    if (front == end) {
      clear();
      return;
    }
    while (endOf(firstPart) <= front) {
      popFirst();
    }
    if (chunks[firstPart & (arrays.length - 1)] == null) {
      giveBackLent(front);
    }
  }

  /** What is referred to counts until it is passed, however long the array is. */
  private void giveBackLent(long until) {
    long from = Math.max(startOf(firstPart), lentFrom);
    pool.takeBack((int) (until - from));
    lentFrom = until;
  }

  void clear() {
    while (firstPart != endPart) {
      popFirst();
    }
    front = end;
    Chunk chunk = open;
    if (chunk != null) {
      open = null;
      pool.give(chunk);
    }
    if (arrays.length > MAX_KEPT_PARTS) {
      resize(0);
    }
  }

  private void popFirst() {
    int index = firstPart & (arrays.length - 1);
    Chunk chunk = chunks[index];
    if (chunk == null) {
      giveBackLent(endOf(firstPart));
    } else if (froms[index] + (endOf(firstPart) - starts[index]) == chunk.end()) {
      pool.give(chunk);
      if (chunk == open) {
        open = null;
      }
    }
    arrays[index] = NO_ARRAY;
    chunks[index] = null;
    firstPart++;
  }

  private void push(byte[] array, int from, @Nullable Chunk chunk) {
    if (endPart - firstPart == arrays.length) {
      resize(Math.max(FIRST_PARTS, arrays.length * 2));
    }
    int index = endPart & (arrays.length - 1);
    arrays[index] = array;
    froms[index] = from;
    starts[index] = end;
    chunks[index] = chunk;
    endPart++;
  }

  /** Makes room for so many parts, a power of two, or for none; they are numbered from 0 again. */
  private void resize(int capacity) {
    int parts = endPart - firstPart;
    byte[][] oldArrays = arrays;
    int[] oldFroms = froms;
    long[] oldStarts = starts;
    @Nullable Chunk[] oldChunks = chunks;
    arrays = new byte[capacity][];
    froms = new int[capacity];
    starts = new long[capacity];
    chunks = new @Nullable Chunk[capacity];
    for (int i = 0; i < parts; i++) {
      int old = (firstPart + i) & (oldArrays.length - 1);
      arrays[i] = oldArrays[old];
      froms[i] = oldFroms[old];
      starts[i] = oldStarts[old];
      chunks[i] = oldChunks[old];
    }
    Arrays.fill(arrays, parts, capacity, NO_ARRAY);
    cursorPart = Math.max(0, cursorPart - firstPart);
    firstPart = 0;
    endPart = parts;
  }
}
