package ebb.example.bittorrent;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-1, which BEP 3 names its pieces and torrents by. */
final class Sha1 {
  private Sha1() {}

  static byte[] of(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}
