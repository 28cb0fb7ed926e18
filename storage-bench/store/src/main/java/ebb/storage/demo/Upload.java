package ebb.storage.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.zip.CRC32C;

/** A resumable upload: what has arrived so far. Used by one request at a time. */
final class Upload {
  private static final int COPY_BYTES = 256 * 1_024;

  final String bucket;
  final String name;
  final Map<String, String> query;

  /** The checksum that the client announced, in Base64; "" for none. */
  final String announced;

  /** What the client says of the object beside its bytes. */
  final Map<String, String> metadata;

  final Path file;
  private final FileChannel channel;
  private final CRC32C crc = new CRC32C();
  private long bytes;

  Upload(
      String bucket,
      String name,
      Map<String, String> query,
      String announced,
      Map<String, String> metadata,
      Path file)
      throws IOException {
    this.bucket = bucket;
    this.name = name;
    this.query = query;
    this.announced = announced;
    this.metadata = metadata;
    this.file = file;
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  void append(byte[] from, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(from, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    crc.update(from, offset, length);
    bytes += length;
  }

  void append(Path from) throws IOException {
    byte[] piece = new byte[COPY_BYTES];
    try (InputStream in = Files.newInputStream(from)) {
      for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
        append(piece, 0, got);
      }
    }
  }

  long bytes() {
    return bytes;
  }

  int crc32c() {
    return (int) crc.getValue();
  }

  void close() throws IOException {
    channel.close();
  }
}
