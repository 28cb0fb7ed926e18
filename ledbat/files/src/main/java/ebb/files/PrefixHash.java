package ebb.files;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;

/**
 * The SHA-256 of a file's first bytes, read by read, so that others may have their turn between.
 */
final class PrefixHash implements Closeable {
  private final FileChannel file;
  private final long lengthBytes;
  private final MessageDigest state = Hashing.sha256();
  private long doneBytes;

  PrefixHash(FileChannel file, long lengthBytes) {
    this.file = file;
    this.lengthBytes = lengthBytes;
  }

  boolean done() {
    return doneBytes == lengthBytes;
  }

  /** To go on with, once it is done. */
  MessageDigest state() {
    return state;
  }

  /**
   * Reads and hashes once.
   *
   * @param buffer to read into; its content is overwritten
   * @return bytes hashed
   * @throws EOFException when the file is shorter
   */
  int step(ByteBuffer buffer) throws IOException {
    buffer.clear().limit((int) Math.min(buffer.capacity(), lengthBytes - doneBytes));
    int read = file.read(buffer, doneBytes);
    if (read < 0) {
      throw new EOFException("the file became shorter");
    }
    state.update(buffer.flip());
    doneBytes += read;
    return read;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
