package ebb.ledbat.secure;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The functions that Noise calls DH(), HASH() and HKDF(), from the JDK: X25519 and SHA-256. */
final class Primitives {
  static final int DH_BYTES = 32;
  static final int HASH_BYTES = 32;

  private static final String X25519 = "X25519";
  private static final String HMAC = "HmacSHA256";
  private static final byte[] NOTHING = {};

  /** RFC 7748, 6.1: "K_A = X25519(a, 9)". */
  private static final BigInteger BASE_POINT = BigInteger.valueOf(9);

  private Primitives() {}

  /** The public key of a private one. */
  static byte[] publicKey(byte[] privateKey) {
    try {
      return multiply(privateKey, BASE_POINT);
    } catch (InvalidKeyException impossible) {
      throw new IllegalStateException("X25519 refuses its base point", impossible);
    }
  }

  /**
   * The secret that two key pairs share; null when the public key is of small order. Noise, 12.1:
   * "implementations are allowed to detect inputs that produce an all-zeros output and signal an
   * error instead"; the JDK is such an implementation. RFC 7748, 6.1: "Both MAY check, without
   * leaking extra information about the value of K, whether K is the all-zero value and abort if
   * so".
   */
  static byte @Nullable [] dh(byte[] privateKey, byte[] publicKey) {
    try {
      return multiply(privateKey, coordinate(publicKey));
    } catch (InvalidKeyException smallOrder) {
      return null;
    }
  }

  private static byte[] multiply(byte[] privateKey, BigInteger point) throws InvalidKeyException {
    try {
      KeyFactory keys = KeyFactory.getInstance(X25519);
      NamedParameterSpec curve = NamedParameterSpec.X25519;
      PrivateKey mine = keys.generatePrivate(new XECPrivateKeySpec(curve, privateKey));
      PublicKey theirs = keys.generatePublic(new XECPublicKeySpec(curve, point));
      KeyAgreement agreement = KeyAgreement.getInstance(X25519);
      agreement.init(mine);
      agreement.doPhase(theirs, true);
      return agreement.generateSecret();
    } catch (InvalidKeyException refused) {
      throw refused;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this JDK has no X25519", missing);
    }
  }

  /**
   * RFC 7748, 5: "implementations of X25519 (but not X448) MUST mask the most significant bit in
   * the final byte"; the number is little-endian.
   */
  private static BigInteger coordinate(byte[] publicKey) {
    byte[] bigEndian = new byte[DH_BYTES];
    for (int i = 0; i < DH_BYTES; i++) {
      bigEndian[DH_BYTES - 1 - i] = publicKey[i];
    }
    bigEndian[0] &= 0x7f;
    return new BigInteger(1, bigEndian);
  }

  static byte[] hash(byte[] first, byte[] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(first);
      return digest.digest(second);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this JDK has no SHA-256", missing);
    }
  }

  /** Noise 4.3, HKDF: {@code outputs} times 32 bytes. */
  static byte[][] hkdf(byte[] chainingKey, byte[] inputKeyMaterial, int outputs) {
    // Noise, 4.3: "Sets temp_key = HMAC-HASH(chaining_key, input_key_material)."
    byte[] temporary = hmac(chainingKey, inputKeyMaterial, NOTHING);
    byte[][] result = new byte[outputs][];
    byte[] previous = NOTHING;
    for (int i = 0; i < outputs; i++) {
      // Noise, 4.3: "Sets output2 = HMAC-HASH(temp_key, output1 || byte(0x02))."
      previous = hmac(temporary, previous, new byte[] {(byte) (i + 1)});
      result[i] = previous;
    }
    Arrays.fill(temporary, (byte) 0);
    return result;
  }

  private static byte[] hmac(byte[] key, byte[] first, byte[] second) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      mac.update(first);
      return mac.doFinal(second);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("this JDK has no " + HMAC, missing);
    }
  }
}
