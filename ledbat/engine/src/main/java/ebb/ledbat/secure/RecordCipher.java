package ebb.ledbat.secure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What encrypts the records of a connection, from Java's security providers. Handshakes always have
 * AES-GCM.
 */
public enum RecordCipher {
  /** AES-256-GCM (Noise 12.4): fast where the processor has instructions for it. */
  AES_GCM("AES/GCM/NoPadding", "AES"),

  /** ChaCha20-Poly1305 (Noise 12.3, RFC 8439): fast on any processor. */
  CHACHA20_POLY1305("ChaCha20-Poly1305", "ChaCha20");

  private static final int NONCE_BYTES = 12;

  private final String algorithm;
  private final String keyAlgorithm;

  RecordCipher(String algorithm, String keyAlgorithm) {
    this.algorithm = algorithm;
    this.keyAlgorithm = keyAlgorithm;
  }

  Cipher newCipher() {
    try {
      return Cipher.getInstance(algorithm);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this JDK has no " + algorithm, missing);
    }
  }

  SecretKeySpec key(byte[] bytes) {
    return new SecretKeySpec(bytes, 0, CipherState.KEY_BYTES, keyAlgorithm);
  }

  /**
   * Noise, 12.4: "The 96-bit nonce is formed by encoding 32 bits of zeros followed by big-endian
   * encoding of n." Noise, 12.3: "The 96-bit nonce is formed by encoding 32 bits of zeros followed
   * by little-endian encoding of n."
   */
  AlgorithmParameterSpec parameters(long n) {
    ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
    return switch (this) {
      case AES_GCM ->
          new GCMParameterSpec(8 * CipherState.TAG_BYTES, nonce.putInt(0).putLong(n).array());
      case CHACHA20_POLY1305 ->
          new IvParameterSpec(nonce.order(ByteOrder.LITTLE_ENDIAN).putInt(0).putLong(n).array());
    };
  }
}
