package ebb.ledbat.secure;

import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The secret that both sides hold: 32 bytes with 256 bits of entropy (Noise, 14: "Pre-shared
 * symmetric keys must be secret values with 256 bits of entropy"), so never a password. Nothing
 * prints it.
 */
public final class PresharedKey {
  public static final int BYTES = 32;

  private final byte[] bytes;

  /**
   * @throws IllegalArgumentException when there are not exactly 32 bytes
   */
  public PresharedKey(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a key has " + BYTES + " bytes, not " + bytes.length);
    }
    this.bytes = bytes.clone();
  }

  /** The bytes themselves; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PresharedKey key && MessageDigest.isEqual(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "PresharedKey";
  }
}
