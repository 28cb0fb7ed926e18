package ebb.net.control;

import ebb.core.rand.FreshSecret;
import java.security.MessageDigest;

/** What shows that a connection belongs to a session: bytes that nobody else can guess. */
public final class Token {
  /** For connections that have none yet. */
  public static final Token NONE = new Token(new byte[ControlMessage.TOKEN_BYTES]);

  private final byte[] bytes;

  /** From 16 bytes. */
  public Token(byte[] bytes) {
    if (bytes.length != ControlMessage.TOKEN_BYTES) {
      throw new IllegalArgumentException("a token has 16 bytes: " + bytes.length);
    }
    this.bytes = bytes.clone();
  }

  public static Token fresh() {
    return new Token(FreshSecret.bytes(ControlMessage.TOKEN_BYTES));
  }

  /** A copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Takes the same time wherever the difference is. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Token token && MessageDigest.isEqual(bytes, token.bytes);
  }

  @Override
  public int hashCode() {
    return java.util.Arrays.hashCode(bytes);
  }

  /** Not the secret. */
  @Override
  public String toString() {
    return "token";
  }
}
