package ebb.testkit.host;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The bytes of a test stream: byte k is a function of the source's seed and k alone, so that a sink
 * can tell a byte that is wrong, missing, repeated or in the wrong place.
 *
 * <p>It is a random block repeated. Its length is a prime, so that no shift by whole packets or
 * buffers goes unseen.
 */
public final class StreamPattern {
  private static final int PERIOD_BYTES = 65_521;

  private final byte[] block = new byte[PERIOD_BYTES];

  public StreamPattern(RandomGenerator random) {
    for (int i = 0; i < block.length; i += Long.BYTES) {
      long word = random.nextLong();
      for (int j = i; j < Math.min(i + Long.BYTES, block.length); j++) {
        block[j] = (byte) word;
        word >>>= Byte.SIZE;
      }
    }
  }

  /** Fills {@code target} with the bytes from {@code offset} on. */
  public void fill(ByteBuffer target, long offset) {
    int at = (int) (offset % PERIOD_BYTES);
    while (target.hasRemaining()) {
      int length = Math.min(target.remaining(), PERIOD_BYTES - at);
      target.put(block, at, length);
      at = 0;
    }
  }

  /**
   * Compares {@code length} bytes with the stream's from {@code offset} on.
   *
   * @return the stream offset of the first difference, -1 when there is none
   */
  public long firstDifference(byte[] actual, int length, long offset) {
    int at = (int) (offset % PERIOD_BYTES);
    for (int done = 0; done < length; at = 0) {
      int part = Math.min(length - done, PERIOD_BYTES - at);
      int differs = Arrays.mismatch(actual, done, done + part, block, at, at + part);
      if (differs >= 0) {
        return offset + done + differs;
      }
      done += part;
    }
    return -1;
  }
}
