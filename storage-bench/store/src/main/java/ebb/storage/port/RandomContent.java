package ebb.storage.port;

import ebb.core.rand.SeededRandom;
import java.nio.ByteBuffer;

/**
 * Bytes that do not compress, the same for the same seed. They repeat after 4 MiB less 3 bytes, a
 * prime number, so that no two blocks of a usual size within one object are the same; making them
 * costs a copy.
 */
public final class RandomContent implements Content {
  private static final int PERIOD = 4_194_301;
  private static final byte[] PAGE = page();

  private final int shift;
  private final long length;

  public RandomContent(long seed, long length) {
    if (length < 0) {
      throw new IllegalArgumentException("a length cannot be negative: " + length);
    }
    this.shift = new SeededRandom(seed).nextInt(PERIOD);
    this.length = length;
  }

  private static byte[] page() {
    SeededRandom random = new SeededRandom(0x45_62_62L);
    ByteBuffer words = ByteBuffer.allocate((PERIOD / Long.BYTES + 1) * Long.BYTES);
    while (words.hasRemaining()) {
      words.putLong(random.nextLong());
    }
    return words.array();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    int at = (int) ((offset + shift) % PERIOD);
    while (into.hasRemaining()) {
      int bytes = Math.min(into.remaining(), PERIOD - at);
      into.put(PAGE, at, bytes);
      at = 0;
    }
  }
}
