package ebb.files;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, of which every Java platform has an implementation. */
final class Hashing {
  private static final int READ_BYTES = 256 << 10;

  private Hashing() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The digest so far; the state itself goes on. */
  static Sha256 peek(MessageDigest state) {
    try {
      return Sha256.of(((MessageDigest) state.clone()).digest());
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Something to do between reads of a long hash, such as telling the peer to wait. */
  interface Pause {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Hashes the first {@code lengthBytes} of the file.
   *
   * @return the state, to go on with
   * @throws EOFException when the file is shorter
   */
  static MessageDigest prefix(FileChannel file, long lengthBytes, Pause pause)
      throws IOException, InterruptedException {
    PrefixHash hash = new PrefixHash(file, lengthBytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(READ_BYTES, lengthBytes + 1));
    while (!hash.done()) {
      hash.step(buffer);
      pause.run();
    }
    return hash.state();
  }
}
