package ebb.storage.memory;

import java.util.List;

/**
 * What to measure and how.
 *
 * @param areaBytes that blocks are read from and written to, and that pointers are chased through
 * @param streamBytes of each of the three arrays of the kernels
 * @param blocks in bytes
 * @param threads how many at once
 * @param measureMicros of each block case
 * @param repeats of the kernels, the first of which is not counted
 * @param rounds how often everything is measured
 * @param seed of random places
 */
record MemoryPlan(
    long areaBytes,
    long streamBytes,
    List<Integer> blocks,
    List<Integer> threads,
    long measureMicros,
    int repeats,
    int rounds,
    long seed) {
  private static final int MAX_THREADS = 1_024;
  private static final int MAX_TIMES = 1_000;
  private static final long MIN_MICROS = 10_000;
  private static final long MIN_ARRAY = 64 << 10;

  /** A Java array has an int for its length; the last few are not for use. */
  private static final long MAX_ARRAY = Integer.MAX_VALUE - 8;

  MemoryPlan {
    blocks = List.copyOf(blocks);
    threads = List.copyOf(threads);
    check(!blocks.isEmpty(), "--block must name at least one");
    check(!threads.isEmpty(), "--threads must name at least one");
    check(
        areaBytes >= MIN_ARRAY && areaBytes <= MAX_ARRAY,
        "--size must be 64Ki to 2147483639 bytes");
    check(
        streamBytes >= MIN_ARRAY && streamBytes <= MAX_ARRAY * Double.BYTES,
        "--stream-size must be 64Ki to 17179869112 bytes");
    check(measureMicros >= MIN_MICROS, "--time must be at least 10 ms");
    check(repeats >= 2 && repeats <= MAX_TIMES, "--repeat must be 2 to " + MAX_TIMES);
    check(rounds >= 1 && rounds <= MAX_TIMES, "--rounds must be 1 to " + MAX_TIMES);
    for (int count : threads) {
      check(count >= 1 && count <= MAX_THREADS, "--threads must be 1 to " + MAX_THREADS);
      for (int block : blocks) {
        check(
            block >= 1 && areaBytes / count >= block,
            "--block must be at least 1 byte, and at most --size divided by --threads");
      }
    }
  }

  int streamElements() {
    return (int) (streamBytes / Double.BYTES);
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
