package ebb.disk;

import com.sun.nio.file.ExtendedOpenOption;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.SeededRandom;
import ebb.core.text.OneLine;
import ebb.core.units.Human;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * The file that is measured: made, written in full, opened in either way, and removed. It owns what
 * the file system says about itself; it measures nothing.
 */
final class BenchFile implements AutoCloseable {
  private static final int FILL_BYTES = 1 << 20;
  private static final int MARK_BYTES = 4_096;

  /** File systems that keep everything in memory; some of them take O_DIRECT and do nothing. */
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private final Path path;
  private final long bytes;
  private final String fileSystem;
  private final int alignment;
  private final boolean direct;

  private BenchFile(Path path, long bytes, String fileSystem, int alignment, boolean direct) {
    this.path = path;
    this.bytes = bytes;
    this.fileSystem = fileSystem;
    this.alignment = alignment;
    this.direct = direct;
  }

  /**
   * Makes an empty file and finds out what the file system can do.
   *
   * @throws EbbException in one line, with nothing left behind, when there cannot be such a file
   */
  static BenchFile create(Path directory, long bytes) {
    if (!Files.isDirectory(directory)) {
      throw new EbbException(ExitCode.USAGE, "there is no directory " + directory);
    }
    Path path = directory.resolve(".ebb-disk-" + ProcessHandle.current().pid() + ".tmp");
    try {
      Files.createFile(path);
    } catch (IOException e) {
      throw refused("cannot make a file in " + directory, e);
    }
    try {
      FileStore store = Files.getFileStore(path);
      long free = store.getUsableSpace();
      if (free < bytes) {
        throw new EbbException(
            ExitCode.REFUSED_OR_BUSY,
            String.format(
                "a file of %s does not fit: %s has %s free (choose --size)",
                Human.bytes((double) bytes), directory, Human.bytes((double) free)));
      }
      int alignment = Math.toIntExact(Math.max(1, store.getBlockSize()));
      boolean direct = !IN_MEMORY.contains(store.type()) && takesDirect(path, alignment);
      return new BenchFile(path, bytes, store.type(), alignment, direct);
    } catch (IOException e) {
      delete(path);
      throw refused("cannot use a file in " + directory, e);
    } catch (RuntimeException | Error e) {
      delete(path);
      throw e;
    }
  }

  /** Tries it: the kernel may refuse at the opening or at the first request. */
  private static boolean takesDirect(Path path, int alignment) {
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
      channel.read(buffer(alignment, alignment), 0);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Writes all of the file, so that no request meets a hole or a block that was never written.
   *
   * @param stop asked between blocks; the file stays short when it says yes
   * @param progress told how many bytes there are
   */
  void fill(long seed, BooleanSupplier stop, LongConsumer progress) {
    SeededRandom random = new SeededRandom(seed);
    ByteBuffer block = buffer(FILL_BYTES, alignment);
    while (block.remaining() >= Long.BYTES) {
      block.putLong(random.nextLong());
    }
    long whole = direct ? bytes - bytes % FILL_BYTES : 0;
    try {
      // Not through the page cache if that can be helped: it would hold the file afterwards.
      if (whole > 0) {
        try (FileChannel channel = open(true)) {
          write(channel, block, random, 0, whole, stop, progress);
        }
      }
      try (FileChannel channel = open(false)) {
        write(channel, block, random, whole, bytes, stop, progress);
        channel.force(true);
      }
    } catch (IOException e) {
      throw refused("cannot write the file of " + Human.bytes((double) bytes), e);
    }
  }

  private static void write(
      FileChannel channel,
      ByteBuffer block,
      SeededRandom random,
      long from,
      long to,
      BooleanSupplier stop,
      LongConsumer progress)
      throws IOException {
    for (long at = from; at < to && !stop.getAsBoolean(); ) {
      // No two blocks are the same, for a device may store equal ones once.
      for (int mark = 0; mark < FILL_BYTES; mark += MARK_BYTES) {
        block.putLong(mark, random.nextLong());
      }
      block.clear().limit((int) Math.min(FILL_BYTES, to - at));
      while (block.hasRemaining()) {
        at += channel.write(block, at);
      }
      progress.accept(at);
    }
  }

  /**
   * Reads all of the file through the page cache, where it stays if there is memory for it: what
   * follows is the cache's figure from the first request on, not a mixture.
   */
  void preRead(BooleanSupplier stop) throws IOException {
    ByteBuffer block = buffer(FILL_BYTES, alignment);
    try (FileChannel channel = open(false)) {
      for (long at = 0; at < bytes && !stop.getAsBoolean(); ) {
        int read = channel.read(block.clear(), at);
        if (read < 0) {
          throw new IOException("the file became shorter");
        }
        at += read;
      }
    }
  }

  FileChannel open(boolean directly) throws IOException {
    Set<java.nio.file.OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.READ);
    options.add(StandardOpenOption.WRITE);
    if (directly) {
      options.add(ExtendedOpenOption.DIRECT);
    }
    return FileChannel.open(path, options);
  }

  /** A buffer whose memory begins at a multiple of {@code alignment}. */
  static ByteBuffer buffer(int bytes, int alignment) {
    // A slice is a whole number of alignments long, so that the buffer has to be, too.
    int whole = Math.toIntExact(((long) bytes + alignment - 1) / alignment * alignment);
    ByteBuffer aligned =
        ByteBuffer.allocateDirect(Math.addExact(whole, alignment)).alignedSlice(alignment);
    return aligned.limit(bytes).slice();
  }

  Path path() {
    return path;
  }

  long bytes() {
    return bytes;
  }

  /** As the kernel names it: ext4, xfs, tmpfs. */
  String fileSystem() {
    return fileSystem;
  }

  boolean isInMemory() {
    return IN_MEMORY.contains(fileSystem);
  }

  /** What offsets, lengths and memory addresses must be multiples of for direct I/O. */
  int alignment() {
    return alignment;
  }

  boolean hasDirect() {
    return direct;
  }

  /** Whether requests of this size can go past the page cache. */
  boolean isDirectFor(int blockBytes) {
    return direct && blockBytes % alignment == 0;
  }

  @Override
  public void close() {
    delete(path);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      System.err.println("ebb: cannot remove " + path + ": " + OneLine.of(e));
    }
  }

  static EbbException refused(String what, IOException e) {
    return new EbbException(ExitCode.REFUSED_OR_BUSY, what + ": " + OneLine.of(e), e);
  }
}
