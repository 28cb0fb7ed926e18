package ebb.disk;

import ebb.core.units.Human;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What to measure and how.
 *
 * @param places directories where files are made, or files and block devices that are read
 * @param filesEach in each directory, all measured at once
 * @param fileBytes of each file; one that is made is written in full before anything is measured
 * @param io which way past or through the page cache
 * @param accesses with all operations, blocks and threads
 * @param blocks in bytes
 * @param threads how many at once, of each file
 * @param warmUpMicros of every case, not counted
 * @param measureMicros of every case
 * @param fsync when what was written is made durable
 * @param ratePerSecond requests a second of all threads together; 0 for as many as there can be
 * @param rounds how often every case is measured
 * @param seed of offsets and contents
 * @param readPercent of the requests of a mixture, 1 to 99
 */
record DiskPlan(
    List<Path> places,
    int filesEach,
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
    long seed,
    int readPercent) {

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

  /** Of all files together. */
  static final int MAX_THREADS = 1_024;

  private static final int MAX_FILES = 64;
  private static final int MAX_ROUNDS = 1_000;
  private static final long MIN_MICROS = 10_000;
  private static final int MAX_BLOCK = 1 << 30;

  DiskPlan {
    check(
        !places.isEmpty() && places.size() <= MAX_FILES,
        "there can be 1 to " + MAX_FILES + " places");
    places = List.copyOf(places);
    check(
        filesEach >= 1 && filesEach <= MAX_FILES / places.size(),
        "--files must be 1 to " + MAX_FILES + ", of all places together");
    check(readPercent >= 1 && readPercent <= 99, "--read-share must be 1 to 99 (percent)");
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
      check(
          count >= 1 && count <= MAX_THREADS / (places.size() * filesEach),
          "--threads must be 1 to " + MAX_THREADS + ", of all files together");
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

  /** How many are measured at once. */
  int files() {
    return places.size() * filesEach;
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
