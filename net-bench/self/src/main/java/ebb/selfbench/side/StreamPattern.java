package ebb.selfbench.side;

import java.nio.ByteBuffer;

/**
 * What a measured stream carries: at every multiple of 4,096 bytes that multiple, as eight bytes,
 * and nothing in particular elsewhere. So bytes that are missing, doubled or out of order are seen,
 * and looking costs next to nothing. Counts one stream; not thread-safe.
 */
final class StreamPattern {
  static final int STEP_BYTES = 4_096;

  private long position;

  long position() {
    return position;
  }

  /** Makes {@code chunk}, all of its capacity, the stream's next bytes. */
  void fill(ByteBuffer chunk) {
    chunk.clear();
    // The chunk may begin or end inside of a number.
    for (long at = position / STEP_BYTES * STEP_BYTES;
        at < position + chunk.capacity();
        at += STEP_BYTES) {
      for (int i = 0; i < Long.BYTES; i++) {
        long index = at + i - position;
        if (index >= 0 && index < chunk.capacity()) {
          chunk.put((int) index, (byte) (at >>> (Long.SIZE - Byte.SIZE * (i + 1))));
        }
      }
    }
  }

  /** The stream has gone on by so many bytes of the chunk that was filled. */
  void advance(int bytes) {
    position += bytes;
  }

  /**
   * Looks at the stream's next bytes, from 0 to the buffer's limit; numbers that are not wholly in
   * there are passed over.
   *
   * @throws IllegalStateException when they are others
   */
  void check(ByteBuffer received) {
    int length = received.limit();
    for (long at = (position + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        at + Long.BYTES <= position + length;
        at += STEP_BYTES) {
      long found = received.getLong((int) (at - position));
      if (found != at) {
        throw new IllegalStateException("at byte " + at + " came what belongs to " + found);
      }
    }
    position += length;
  }
}
