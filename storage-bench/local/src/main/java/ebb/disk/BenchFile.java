package ebb.disk;

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
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A file that is measured: made, written in full, opened in either way, and removed; or one, or a
 * block device, that was there before and is only read. It owns what the file system says about
 * itself; it measures nothing.
 */
final class BenchFile implements AutoCloseable {
  private static final int FILL_BYTES = 1 << 20;
  private static final int MARK_BYTES = 4_096;

  /** Of a mode: what kind of file it is (stat(2)). */
  private static final int MODE_TYPE = 0170000;

  private static final int MODE_BLOCK_DEVICE = 0060000;

  /** File systems that keep everything in memory; some of them take O_DIRECT and do nothing. */
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private final Path path;
  private final String name;
  private final boolean ours;
  private final long bytes;
  private final String fileSystem;
  private final int alignment;
  private final boolean direct;

  private BenchFile(
      Path path,
      String name,
      boolean ours,
      long bytes,
      String fileSystem,
      int alignment,
      boolean direct) {
    this.path = path;
    this.name = name;
    this.ours = ours;
    this.bytes = bytes;
    this.fileSystem = fileSystem;
    this.alignment = alignment;
    this.direct = direct;
  }

  /**
   * Makes an empty file and finds out what the file system can do.
   *
   * @param name for people
   * @param number of the run's files, from 1
   * @throws EbbException in one line, with nothing left behind, when there cannot be such a file
   */
  static BenchFile create(Path directory, String name, int number, long bytes) {
    if (!Files.isDirectory(directory)) {
      throw new EbbException(ExitCode.USAGE, "there is no directory " + directory);
    }
    Path path =
        directory.resolve(
            ".ebb-disk-"
                + ProcessHandle.current().pid()
                + (number == 1 ? "" : "-" + number)
                + ".tmp");
    try {
      Files.createFile(path);
    } catch (IOException e) {
      throw refused("cannot make a file in " + directory, e);
    }
    try {
      FileStore store = Files.getFileStore(path);
      int alignment = Math.toIntExact(Math.max(1, store.getBlockSize()));
      boolean direct = !IN_MEMORY.contains(store.type()) && takesDirect(path, alignment, true);
      return new BenchFile(path, name, true, bytes, store.type(), alignment, direct);
    } catch (IOException e) {
      delete(path);
      throw refused("cannot use a file in " + directory, e);
    } catch (RuntimeException | Error e) {
      delete(path);
      throw e;
    }
  }

  /**
   * A file or block device that is there already. It is only read, and stays.
   *
   * @throws EbbException in one line when it cannot be read or has fewer bytes
   */
  static BenchFile existing(Path path, long bytes) {
    long there = sizeOf(path);
    if (there < bytes) {
      throw new EbbException(
          ExitCode.USAGE,
          String.format("%s has %s only (choose --size)", path, Human.bytes((double) there)));
    }
    try {
      FileStore store = Files.getFileStore(path);
      boolean device = !Files.isRegularFile(path);
      String type = device ? "block device" : store.type();
      int alignment = Math.toIntExact(Math.max(1, store.getBlockSize()));
      boolean direct = !IN_MEMORY.contains(type) && takesDirect(path, alignment, false);
      return new BenchFile(path, path.toString(), false, bytes, type, alignment, direct);
    } catch (IOException e) {
      throw refused("cannot use " + path, e);
    }
  }

  /**
   * How many bytes a file or block device has.
   *
   * @throws EbbException in one line when it is neither or cannot be opened
   */
  static long sizeOf(Path path) {
    try {
      if (!Files.isRegularFile(path) && !isBlockDevice(path)) {
        throw new EbbException(ExitCode.USAGE, path + " is no directory, file or block device");
      }
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        return channel.size();
      }
    } catch (IOException e) {
      throw refused("cannot read " + path, e);
    }
  }

  private static boolean isBlockDevice(Path path) throws IOException {
    return Files.getAttribute(path, "unix:mode") instanceof Integer mode
        && (mode & MODE_TYPE) == MODE_BLOCK_DEVICE;
  }

  /** The same for each name of the same directory, file or device. */
  static Object identity(Path path) throws IOException {
    if (!Files.isDirectory(path) && !Files.isRegularFile(path) && isBlockDevice(path)) {
      return Files.getAttribute(path, "unix:rdev");
    }
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  /** Tries it: the kernel may refuse at the opening or at the first request. */
  private static boolean takesDirect(Path path, int alignment, boolean write) {
    try (FileChannel channel = open(path, true, write)) {
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
    return open(path, directly, ours);
  }

  private static FileChannel open(Path path, boolean directly, boolean write) throws IOException {
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.READ);
    if (write) {
      options.add(StandardOpenOption.WRITE);
    }
    if (directly) {
      options.add(direct());
    }
    return FileChannel.open(path, options);
  }

  /** O_DIRECT. Its name is not of Java's API, so that javac 25 counts a mention as a warning. */
  private static OpenOption direct() throws IOException {
    try {
      Class<?> extended = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) extended.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this Java cannot go past the cache", e);
    }
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

  /** For people, and not that of another file of the run. */
  String name() {
    return name;
  }

  /** Whether it was made by the run; otherwise it is only read. */
  boolean isOurs() {
    return ours;
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
    if (ours) {
      delete(path);
    }
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
