package ebb.proxy.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The user and the password that clients have to know. What they are is in no message. */
public final class Credentials {
  private static final String BASIC = "basic ";

  private final byte[] userAndPassword;

  /** SOCKS and HTTP both send these as they are. */
  public Credentials(String user, String password) {
    userAndPassword = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
  }

  boolean match(String user, String password) {
    return match((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a Proxy-Authorization header has them. */
  boolean match(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return false;
    }
    try {
      return match(Base64.getDecoder().decode(header.substring(BASIC.length()).strip()));
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  private boolean match(byte[] given) {
    // Takes as long whatever is wrong.
    return MessageDigest.isEqual(userAndPassword, given);
  }
}
