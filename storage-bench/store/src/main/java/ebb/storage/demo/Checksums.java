package ebb.storage.demo;

import java.nio.ByteBuffer;
import java.util.Base64;

/** CRC32C as Cloud Storage writes it: big-endian, in Base64. */
final class Checksums {
  private Checksums() {}

  static String base64(int crc32c) {
    byte[] bytes = ByteBuffer.allocate(4).putInt(crc32c).array();
    return Base64.getEncoder().encodeToString(bytes);
  }
}
