package ebb.core.rand;

import java.security.SecureRandom;

/**
 * Bytes for keys: each from {@link SecureRandom} when it is asked for and kept nowhere, so that
 * memory seen later tells nothing about them.
 */
public final class FreshSecret {
  private static final SecureRandom SECURE = new SecureRandom();

  private FreshSecret() {}

  /** That many bytes that nobody can guess. Thread-safe. */
  public static byte[] bytes(int length) {
    byte[] secret = new byte[length];
    SECURE.nextBytes(secret);
    return secret;
  }
}
