package ebb.disk;

import ebb.core.units.Human;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What to measure and how.
 *
 * @param directory where the file is made
 * @param fileBytes of the file, which is written in full before anything is measured
 * @param io which way past or through the page cache
 * @param accesses with all operations, blocks and threads
 * @param blocks in bytes
 * @param threads how many at once
 * @param warmUpMicros of every case, not counted
 * @param measureMicros of every case
 * @param fsync when what was written is made durable
 * @param ratePerSecond requests a second of all threads together; 0 for as many as there can be
 * @param rounds how often every case is measured
 * @param seed of offsets and contents
 */
record DiskPlan(
    Path directory,
    long fileBytes,
    Io io,
    List<DiskCase.Access> accesses,
    List<DiskCase.Operation> operations,
    List<Integer> blocks,
    List<Integer> threads,
    long warmUpMicros,
    long measureMicros,
    Fsync fsync,
    double ratePerSecond,
    int rounds,
    long seed) {

  /** Which way to the file. */
  enum Io {
    /** Direct where the file system has it and the block is a multiple of what it asks for. */
    AUTO,
    /** Direct or not at all. */
    DIRECT,
    /** Through the page cache. */
    CACHE,
    /** Through the page cache, and directly where that is possible. */
    BOTH
  }

  /** When written data is made durable (fdatasync). */
  enum Fsync {
    /** Never: what was written may still be in a cache. */
    NONE("no fsync"),
    /** After the last write; its time counts. */
    END("fsync at the end of every case, in its time"),
    /** After each write, and in its latency. */
    EACH("fsync after every write, in its latency");

    final String words;

    Fsync(String words) {
      this.words = words;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int MAX_THREADS = 1_024;
  private static final int MAX_ROUNDS = 1_000;
  private static final long MIN_MICROS = 10_000;
  private static final int MAX_BLOCK = 1 << 30;

  DiskPlan {
    accesses = some("--access", accesses);
    operations = some("--op", operations);
    blocks = some("--block", blocks);
    threads = some("--threads", threads);
    check(fileBytes > 0, "--size must be at least 1");
    check(measureMicros >= MIN_MICROS, "--time must be at least 10 ms");
    check(rounds >= 1 && rounds <= MAX_ROUNDS, "--rounds must be 1 to " + MAX_ROUNDS);
    check(
        ratePerSecond >= 0 && ratePerSecond <= 1e9,
        "--rate must be above 0 and at most 1000000000 requests a second");
    for (int count : threads) {
      check(count >= 1 && count <= MAX_THREADS, "--threads must be 1 to " + MAX_THREADS);
    }
    for (int block : blocks) {
      check(block >= 1 && block <= MAX_BLOCK, "--block must be 1 byte to 1 GiB");
      for (int count : threads) {
        check(
            fileBytes / count >= block,
            String.format(
                Locale.ROOT,
                "--size %s is too small for %d thread%s with a block of %s each",
                Human.bytes((double) fileBytes),
                count,
                count == 1 ? "" : "s",
                DiskCase.block(block)));
      }
    }
  }

  private static <T> List<T> some(String option, List<T> values) {
    check(!values.isEmpty(), option + " must name at least one");
    return List.copyOf(values);
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
