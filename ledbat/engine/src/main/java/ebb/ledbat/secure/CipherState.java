package ebb.ledbat.secure;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Noise 5.1, the CipherState object, with the cipher functions of the JDK: a key and a nonce that
 * counts.
 */
final class CipherState {
  static final int KEY_BYTES = 32;
  static final int TAG_BYTES = 16;

  /**
   * Noise, 5.1: "The maximum n value (2^64^-1) is reserved for other use." This is as unreachable
   * and keeps arithmetic signed.
   */
  static final long MAX_NONCE = 1L << 48;

  private static final long REKEY_NONCE = -1; // 2^64 - 1
  private static final byte[] NO_AD = {};

  private final RecordCipher kind;
  private final Cipher cipher;
  private SecretKeySpec key;
  private long nonce;

  CipherState(RecordCipher kind, byte[] key) {
    this.kind = kind;
    cipher = kind.newCipher();
    this.key = kind.key(key);
  }

  /** AES-GCM from another nonce on. */
  CipherState(byte[] key, long nonce) {
    this(RecordCipher.AES_GCM, key);
    this.nonce = nonce;
  }

  RecordCipher kind() {
    return kind;
  }

  /** Messages encrypted, or decrypted, so far. */
  long nonce() {
    return nonce;
  }

  boolean isExhausted() {
    return nonce >= MAX_NONCE;
  }

  /**
   * Encrypts {@code length} bytes; the tag follows the ciphertext. The arrays must not overlap.
   *
   * @return the number of bytes put to {@code out}
   */
  int encrypt(byte[] ad, byte[] in, int inOffset, int length, byte[] out, int outOffset) {
    if (isExhausted()) {
      throw new IllegalStateException("no nonces are left");
    }
    try {
      int written = run(Cipher.ENCRYPT_MODE, nonce, ad, in, inOffset, length, out, outOffset);
      nonce++;
      return written;
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException(kind + " does not encrypt", broken);
    }
  }

  /**
   * Decrypts {@code length} bytes, tag included. The arrays must not overlap.
   *
   * @return the number of bytes put to {@code out}; -1 when they are not authentic, and then what
   *     {@code out} holds means nothing
   */
  int decrypt(byte[] ad, byte[] in, int inOffset, int length, byte[] out, int outOffset) {
    if (isExhausted() || length < TAG_BYTES) {
      return -1;
    }
    try {
      int written = run(Cipher.DECRYPT_MODE, nonce, ad, in, inOffset, length, out, outOffset);
      nonce++;
      return written;
    } catch (AEADBadTagException forged) {
      // Noise, 5.1: "If an authentication failure occurs in DECRYPT() then n is not incremented".
      return -1;
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException(kind + " does not decrypt", broken);
    }
  }

  private int run(
      int mode, long n, byte[] ad, byte[] in, int inOffset, int length, byte[] out, int outOffset)
      throws GeneralSecurityException {
    cipher.init(mode, key, kind.parameters(n));
    cipher.updateAAD(ad);
    return cipher.doFinal(in, inOffset, length, out, outOffset);
  }

  /**
   * Noise, 11.3: "rekey only updates the cipherstate's k value, it doesn't reset the cipherstate's
   * n value".
   */
  void rekey() {
    // Noise, 4.2: "the first 32 bytes from ENCRYPT(k, maxnonce, zerolen, zeros), where maxnonce
    // equals 2^64^-1, zerolen is a zero-length byte sequence, and zeros is a sequence of 32 bytes
    // filled with zeros."
    byte[] out = new byte[KEY_BYTES + TAG_BYTES];
    try {
      run(Cipher.ENCRYPT_MODE, REKEY_NONCE, NO_AD, new byte[KEY_BYTES], 0, KEY_BYTES, out, 0);
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException(kind + " does not encrypt", broken);
    }
    key = kind.key(out);
    Arrays.fill(out, (byte) 0);
  }
}
