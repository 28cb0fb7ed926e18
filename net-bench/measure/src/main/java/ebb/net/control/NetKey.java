package ebb.net.control;

import ebb.net.control.ControlMessage.Proof;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A server's key, and how a client proves that it has it without showing it: an HMAC-SHA256 over
 * the server's nonce. It keeps strangers out; it does not encrypt what is measured.
 */
public final class NetKey {
  private static final byte[] PURPOSE = "ebb net 2\n".getBytes(StandardCharsets.US_ASCII);

  private final byte[] bytes;

  private NetKey(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  /** Of these bytes; null of none. */
  public static @Nullable NetKey of(byte @Nullable [] bytes) {
    return bytes == null ? null : new NetKey(bytes);
  }

  /** The proof for this nonce. */
  public Proof prove(Token nonce) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
      mac.update(PURPOSE);
      byte[] digest = mac.doFinal(nonce.bytes());
      return new Proof(
          new Token(Arrays.copyOf(digest, ControlMessage.TOKEN_BYTES)),
          new Token(Arrays.copyOfRange(digest, ControlMessage.TOKEN_BYTES, digest.length)));
    } catch (GeneralSecurityException missing) {
      // Every Java has it.
      throw new IllegalStateException(missing);
    }
  }
}
