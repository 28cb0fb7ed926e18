package ebb.ledbat.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.conscrypt.Conscrypt;
import org.jspecify.annotations.Nullable;

/**
 * A security provider of AES-GCM, ChaCha20-Poly1305 and SHA-256 and of nothing else. Java's own are
 * fast only once the second compiler has been at them, seconds after a command's start; those of
 * BoringSSL, which Conscrypt carries, are from the first byte. It owns when the library is loaded:
 * at the first cipher, or once a few megabytes are to be hashed. Where it cannot be loaded, Java
 * asks the next provider, which is its own. Whoever embeds Ebb calls {@link #install} before the
 * first connection with a key, on any thread.
 */
public final class NativeCrypto extends Provider {
  static final String AES_GCM = "AES/GCM/NoPadding";
  static final String CHACHA20_POLY1305 = "ChaCha20-Poly1305";
  static final String SHA_256 = "SHA-256";

  /** {@code java} turns this provider off. */
  private static final String SWITCH = "EBB_CRYPTO";

  private static final long serialVersionUID = 1L;

  /** The library, which is loaded at most once. */
  private static final class Library {
    static final @Nullable Provider PROVIDER = load();

    private static @Nullable Provider load() {
      try {
        return Conscrypt.newProvider();
      } catch (RuntimeException | LinkageError notHere) {
        return null; // another system or C library, or a disk that nothing may be run from
      }
    }
  }

  private static volatile boolean asked;

  /** A provider; it loads nothing yet. */
  public NativeCrypto() {
    super("EbbNative", "1", "AES-GCM, ChaCha20-Poly1305 and SHA-256 of BoringSSL");
    for (String cipher : List.of(AES_GCM, CHACHA20_POLY1305)) {
      putService(
          new Service(this, "Cipher", cipher, NativeAead.class.getName(), null, Map.of()) {
            @Override
            public Object newInstance(@Nullable Object none) throws NoSuchAlgorithmException {
              return new NativeAead(libraryOrNone(), cipher);
            }
          });
    }
    putService(
        new Service(this, "MessageDigest", SHA_256, LateSha256.class.getName(), null, Map.of()) {
          @Override
          public Object newInstance(@Nullable Object none) throws NoSuchAlgorithmException {
            return asked ? nativeSha256() : new LateSha256();
          }
        });
  }

  /**
   * Has all of this process ask this provider first, unless {@code EBB_CRYPTO=java} is in its
   * environment. Once more does nothing. The first cipher takes 0.1 s longer, for the library.
   */
  public static void install() {
    if (!"java".equals(System.getenv(SWITCH))) {
      Security.insertProviderAt(new NativeCrypto(), 1);
    }
  }

  /** Whether the library is loaded, after an attempt. */
  static boolean load() {
    asked = true;
    return Library.PROVIDER != null;
  }

  private static Provider libraryOrNone() throws NoSuchAlgorithmException {
    Provider library = load() ? Library.PROVIDER : null;
    if (library == null) {
      throw new NoSuchAlgorithmException("the native library cannot be loaded here");
    }
    return library;
  }

  /** The library's part of the digest, as a provider's service gives it. */
  private static Object nativeSha256() throws NoSuchAlgorithmException {
    return libraryOrNone().getService("MessageDigest", SHA_256).newInstance(null);
  }

  /**
   * A digest for many bytes, from the library or from Java.
   *
   * @param few whether there are too few bytes to load the library for
   */
  static MessageDigest sha256(boolean few) {
    try {
      if (few ? asked && load() : load()) {
        return MessageDigest.getInstance(SHA_256, libraryOrNone());
      }
      for (Provider other : Security.getProviders("MessageDigest." + SHA_256)) {
        if (!(other instanceof NativeCrypto)) {
          return MessageDigest.getInstance(SHA_256, other);
        }
      }
      throw new NoSuchAlgorithmException(SHA_256);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("this JDK has no SHA-256", impossible);
    }
  }

  /** Exits with 0 when commands of this Java get the native algorithms: {@code class-archive}. */
  public static void main(String[] none) throws GeneralSecurityException {
    install();
    System.exit(answers() ? 0 : 1);
  }

  /** Whether whoever asks Java for these gets the library's, and the right answers. */
  private static boolean answers() throws GeneralSecurityException {
    if (!load()) {
      return false;
    }
    // FIPS 180-4's example of one block, test case 13 of McGrew and Viega's GCM, and the like of
    // the latter for RFC 8439.
    MessageDigest digest = MessageDigest.getInstance(SHA_256);
    byte[] hash = digest.digest("abc".getBytes(StandardCharsets.US_ASCII));
    HexFormat hex = HexFormat.of();
    return digest.getProvider() instanceof NativeCrypto
        && tagOfNothing(AES_GCM, "AES", new GCMParameterSpec(128, new byte[12]))
            .equals("530f8afbc74536b9a963b4f1c4cb738b")
        && tagOfNothing(CHACHA20_POLY1305, "ChaCha20", new IvParameterSpec(new byte[12]))
            .equals("4eb972c9a8fb3a1b382bb4d36f5ffad1")
        && hex.formatHex(hash)
            .equals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  /** By a key and a nonce of zeros; empty when another provider answers. */
  private static String tagOfNothing(String algorithm, String of, AlgorithmParameterSpec nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], of), nonce);
    byte[] tag = cipher.doFinal();
    return cipher.getProvider() instanceof NativeCrypto ? HexFormat.of().formatHex(tag) : "";
  }
}
