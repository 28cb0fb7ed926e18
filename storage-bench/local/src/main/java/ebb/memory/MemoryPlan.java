package ebb.memory;

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

  private static final int PAGE_ELEMENTS = 4_096 / Double.BYTES;

  /** 1,344 bytes less the 16 of an array's header. */
  private static final int APART_ELEMENTS = (1_344 - 16) / Double.BYTES;

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

  /**
   * Of each array; up to 4 KiB fewer than asked for. The JVM lays the three arrays one after the
   * other. Were they a multiple of 4 KiB apart, or a little more, a processor that compares the
   * lowest twelve bits of addresses would take every load for one of what was just stored: seen to
   * cost a third of the copy's rate. So they are 1,344 bytes beyond such a multiple apart, which is
   * far from it in both directions, and keeps all three alike to cache lines of 64 bytes.
   */
  int streamElements() {
    int whole = (int) (streamBytes / Double.BYTES);
    int elements = whole / PAGE_ELEMENTS * PAGE_ELEMENTS + APART_ELEMENTS;
    return elements > whole ? elements - PAGE_ELEMENTS : elements;
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
