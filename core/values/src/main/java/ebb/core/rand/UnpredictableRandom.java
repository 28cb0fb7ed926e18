package ebb.core.rand;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * Numbers that nobody outside can guess, for live endpoints: {@link SecureRandom}, asked for many
 * at a time. Not thread-safe.
 */
public final class UnpredictableRandom implements RandomGenerator {
  private final SecureRandom secure = new SecureRandom();
  private final ByteBuffer buffer = ByteBuffer.allocate(512).limit(0);

  @Override
  public long nextLong() {
    if (buffer.remaining() < Long.BYTES) {
      secure.nextBytes(buffer.array());
      buffer.clear();
    }
    return buffer.getLong();
  }
}
