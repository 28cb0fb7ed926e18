package ebb.launcher.demo;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import ebb.core.rand.UnpredictableRandom;
import ebb.files.LoopbackCopy;
import ebb.ledbat.command.Drivers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a file, has it moved over loopback by the components of the file commands, and compares
 * both files by SHA-256 itself. It leaves nothing behind.
 */
final class LoopbackTransfer {
  private static final long TIMEOUT_SECONDS = 45;
  private static final int CHUNK_BYTES = 1 << 20;

  private LoopbackTransfer() {}

  /**
   * What arrived.
   *
   * @param seconds from the connection's start until the receiver had the file, checked, under its
   *     final name
   */
  record Outcome(long bytes, double seconds, String sha256Sent, String sha256Received) {
    boolean verified() {
      return sha256Sent.equals(sha256Received);
    }
  }

  static Outcome move(long bytes) throws InterruptedException {
    Path work = null;
    try {
      work = Files.createTempDirectory("ebb-demo-");
      Path source = work.resolve("random.bin");
      Path target = Files.createDirectory(work.resolve("received"));
      String sent = write(source, bytes);
      long nanos = LoopbackCopy.run(source, target, Drivers.fastest(), TIMEOUT_SECONDS);
      return new Outcome(bytes, nanos / 1e9, sent, sha256(target.resolve("random.bin")));
    } catch (LoopbackCopy.FailedException failure) {
      throw new EbbException(ExitCode.INCOMPLETE, "" + failure.getMessage(), failure);
    } catch (IOException failure) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot make the demo's files: " + failure.getMessage(), failure);
    } finally {
      delete(work);
    }
  }

  /** Random bytes, so that nothing on the way can cheat. */
  private static String write(Path file, long bytes) throws IOException {
    RandomGenerator random = new UnpredictableRandom();
    MessageDigest digest = newDigest();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; left -= chunk.limit()) {
        fill(chunk, random.nextLong());
        chunk.position(0).limit((int) Math.min(CHUNK_BYTES, left));
        digest.update(chunk);
        chunk.rewind();
        while (chunk.hasRemaining()) {
          out.write(chunk);
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void fill(ByteBuffer chunk, long seed) {
    RandomGenerator words = new SeededRandom(seed);
    chunk.clear();
    while (chunk.hasRemaining()) {
      chunk.putLong(words.nextLong());
    }
  }

  private static String sha256(Path file) throws IOException {
    MessageDigest digest = newDigest();
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
    try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
      while (in.read(chunk.clear()) >= 0) {
        digest.update(chunk.flip());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void delete(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException left) {
      return; // It is the system's temporary directory; what is left is cleaned up there.
    }
  }
}
