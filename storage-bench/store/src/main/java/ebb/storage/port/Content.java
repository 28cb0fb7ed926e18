package ebb.storage.port;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What is put into an object: readable at any offset, as often as attempts need it. Thread-safe,
 * and the same every time.
 */
public interface Content {
  long length();

  /** Fills {@code into}; the caller asks for no byte beyond {@link #length()}. */
  void read(long offset, ByteBuffer into) throws IOException;

  /** The CRC32C of a part of it. */
  default int crc32c(long offset, long length) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(1, Math.min(length, 1 << 18)));
    for (long at = offset, end = offset + length; at < end; at += buffer.capacity()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
      read(at, buffer);
      crc.update(buffer.flip());
    }
    return (int) crc.getValue();
  }
}
