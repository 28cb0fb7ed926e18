package ebb.selfbench.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of this process's own, removed with all that is in it. */
public final class ScratchDirectory implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path directory;

  /** In {@code parent}, or where temporary files go. */
  public ScratchDirectory(@Nullable Path parent) throws IOException {
    directory =
        parent == null
            ? Files.createTempDirectory("ebb-bench-")
            : Files.createTempDirectory(parent, "ebb-bench-");
  }

  public Path directory() {
    return directory;
  }

  /** Writes a file whose blocks differ, and has it on the disk when it returns. */
  public static void fill(Path file, long bytes, RandomGenerator random) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    while (chunk.remaining() >= Long.BYTES) {
      chunk.putLong(random.nextLong());
    }
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long left = bytes; left > 0; ) {
        chunk.clear().limit((int) Math.min(CHUNK_BYTES, left));
        chunk.putLong(0, left);
        left -= out.write(chunk);
      }
      out.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
