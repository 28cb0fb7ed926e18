package ebb.files;

import java.util.HexFormat;

/** A SHA-256, as 64 lower-case hexadecimal digits. */
record Sha256(String hex) {
  static final int BYTES = 32;

  static Sha256 of(byte[] digest) {
    if (digest.length != BYTES) {
      throw new IllegalArgumentException("a digest of " + digest.length + " bytes");
    }
    return new Sha256(HexFormat.of().formatHex(digest));
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }
}
