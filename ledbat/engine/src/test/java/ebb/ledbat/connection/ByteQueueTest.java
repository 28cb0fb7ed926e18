package ebb.ledbat.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteQueueTest {
  private static final int CHUNK = ChunkPool.CHUNK_BYTES;
  private static final int STREAM_BYTES = 1 << 20;

  private ChunkPool pool = new ChunkPool(64L * CHUNK);
  private ByteQueue queue = new ByteQueue(pool, 0);
  private final byte[] stream = new byte[STREAM_BYTES];

  /** Against the stream itself: whatever is appended, copied and discarded in whatever order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void givesBackWhatWasAppended(long seed) {
    givesBack(seed);
    assertThat(pool.usedBytes()).isZero();
  }

  /** Chunks of a slab lie end to end in one array, and are none the less apart. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void givesBackWhatWasAppendedToSlabs(long seed) {
    pool = new ChunkPool(256L * CHUNK);
    queue = new ByteQueue(pool, 0);
    for (int i = 0; i < 64; i++) {
      assertThat(pool.take(0)).isNotNull();
    }
    othersBytes = 64L * CHUNK;
    givesBack(seed);
    assertThat(pool.usedBytes()).isEqualTo(othersBytes);
  }

  private long othersBytes;

  private void givesBack(long seed) {
    Random random = new Random(seed);
    random.nextBytes(stream);
    int front = 0;
    int end = 0;
    while (front < STREAM_BYTES) {
      int bytes = Math.min(1 + random.nextInt(3 * CHUNK), STREAM_BYTES - end);
      if (random.nextBoolean()) {
        end += queue.append(ByteBuffer.wrap(stream), end, bytes);
      } else if (random.nextBoolean()) {
        end += queue.appendShared(stream, end, bytes);
      } else if (random.nextBoolean()) {
        end += appendInPlace(1 + random.nextInt(CHUNK), end, bytes);
      } else if (queue.size() > 0) {
        front += discardSome(random);
      }
      assertThat(queue.size()).isEqualTo(end - front);
      copySome(random, front);
      assertThat(pool.usedBytes() - othersBytes)
          .isBetween((long) queue.size(), (long) queue.size() + 2L * CHUNK);
    }
  }

  private int appendInPlace(int least, int from, int most) {
    return queue.appendInPlace(
        least, most, room -> room.put(stream, from, Math.min(most, room.remaining())));
  }

  private int discardSome(Random random) {
    int bytes = random.nextInt(8) == 0 ? queue.size() : 1 + random.nextInt(queue.size());
    queue.discard(bytes);
    return bytes;
  }

  private void copySome(Random random, int front) {
    if (queue.size() > 0) {
      int offset = random.nextInt(queue.size());
      ByteBuffer target = ByteBuffer.allocate(1 + random.nextInt(queue.size() - offset));
      queue.copy(offset, target.capacity(), target);
      int from = front + offset;
      assertThat(target.array())
          .isEqualTo(Arrays.copyOfRange(stream, from, from + target.capacity()));
    }
  }

  @Test
  void takesNoMoreThanThePoolHas() {
    assertThat(queue.appendShared(stream, 0, 10 * CHUNK)).isEqualTo(10 * CHUNK);
    assertThat(queue.append(ByteBuffer.wrap(stream), 0, 60 * CHUNK)).isEqualTo(54 * CHUNK);
    assertThat(queue.appendShared(stream, 0, 1)).isZero();
    queue.discard(10 * CHUNK);
    assertThat(queue.appendShared(stream, 0, 11 * CHUNK)).isEqualTo(10 * CHUNK);
    queue.clear();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void writesInPlaceOnlyWhereThereIsRoomInOnePiece() {
    assertThat(appendInPlace(100, 0, CHUNK - 99)).isEqualTo(CHUNK - 99);
    assertThat(appendInPlace(100, 0, CHUNK)).as("99 bytes are left").isZero();
    assertThat(appendInPlace(99, 0, CHUNK)).isEqualTo(99);
    assertThat(appendInPlace(CHUNK, 0, CHUNK)).as("a new chunk").isEqualTo(CHUNK);
    assertThat(pool.usedBytes()).isEqualTo(2L * CHUNK);
    queue.clear();
    assertThat(queue.appendInPlace(1, CHUNK, room -> {})).isZero();
    assertThat(pool.usedBytes()).as("an empty queue holds no chunk").isZero();
    queue.appendShared(stream, 0, 64 * CHUNK);
    assertThat(appendInPlace(1, 0, 1)).as("the pool is exhausted").isZero();
  }

  /** What a message is cut into: a few bytes of framing, and much that is referred to. */
  @Test
  void smallPiecesBetweenSharedOnesShareAChunk() {
    byte[] header = {1, 2, 3};
    for (int i = 0; i < 10; i++) {
      queue.append(ByteBuffer.wrap(header), 0, header.length);
      queue.appendShared(stream, i * CHUNK, CHUNK);
    }
    assertThat(pool.usedBytes()).isEqualTo(11L * CHUNK);
    queue.discard(5 * (header.length + CHUNK));
    ByteBuffer next = ByteBuffer.allocate(header.length);
    queue.copy(0, header.length, next);
    assertThat(next.array()).isEqualTo(header);
    assertThat(pool.usedBytes()).isEqualTo(6L * CHUNK);
  }
}
