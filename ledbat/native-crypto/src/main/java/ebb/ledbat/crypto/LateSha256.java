package ebb.ledbat.crypto;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 that waits and sees how much is hashed before it chooses who does it: loading the
 * library takes longer than Java takes for the first megabytes. It owns the bytes until then. As
 * with any digest, one thread at a time calls.
 */
final class LateSha256 extends MessageDigestSpi implements Cloneable {
  private static final int DIGEST_BYTES = 32;

  /** More than this is not held, and loads the library. */
  private static final int MOST_HELD_BYTES = 1 << 20;

  /** So much in small pieces loads it, too. */
  private static final long FEW_BYTES = 2L << 20;

  private static final AtomicLong TOTAL_BYTES = new AtomicLong();

  private byte[] held = new byte[128];
  private int heldBytes;
  private @Nullable MessageDigest digest;

  @Override
  protected void engineUpdate(byte one) {
    engineUpdate(new byte[] {one}, 0, 1);
  }

  @Override
  protected void engineUpdate(byte[] input, int offset, int length) {
    engineUpdate(ByteBuffer.wrap(input, offset, length));
  }

  @Override
  protected void engineUpdate(ByteBuffer input) {
    int length = input.remaining();
    if (digest == null && length <= MOST_HELD_BYTES - heldBytes) {
      if (length > held.length - heldBytes) {
        int wanted = Math.max(2 * held.length, heldBytes + length);
        held = Arrays.copyOf(held, Math.min(wanted, MOST_HELD_BYTES));
      }
      input.get(held, heldBytes, length);
      heldBytes += length;
    } else {
      chosen(false).update(input);
    }
  }

  /** Whoever hashes, with what was held. */
  private MessageDigest chosen(boolean few) {
    MessageDigest known = digest;
    if (known == null) {
      known = NativeCrypto.sha256(few && TOTAL_BYTES.addAndGet(heldBytes) < FEW_BYTES);
      known.update(held, 0, heldBytes);
      held = new byte[0];
      heldBytes = 0;
      digest = known;
    }
    return known;
  }

  @Override
  protected byte[] engineDigest() {
    return chosen(true).digest();
  }

  @Override
  protected void engineReset() {
    heldBytes = 0;
    if (digest != null) {
      digest.reset();
    }
  }

  @Override
  protected int engineGetDigestLength() {
    return DIGEST_BYTES;
  }

  @Override
  public Object clone() throws CloneNotSupportedException {
    LateSha256 copy = (LateSha256) super.clone();
    copy.held = held.clone();
    copy.digest = digest == null ? null : (MessageDigest) digest.clone();
    return copy;
  }
}
