package ebb.memory;

import ebb.core.rand.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * How long one load takes when the next one's address is what it loads: a walk through all cache
 * lines of an area in random order. It owns no threads.
 */
final class PointerChase {
  private static final int LINE_BYTES = 64;
  private static final int LINE_INTS = LINE_BYTES / Integer.BYTES;
  private static final int SMALLEST_BYTES = 16 << 10;
  private static final int STEPS = 4;
  private static final int BATCH = 100_000;
  private static final long NANOS = 100_000_000;

  /** Keeps the walk's end, without which the JIT could leave the walk out. */
  @SuppressWarnings("UnusedVariable") // only written, which the JIT cannot leave out
  private static volatile int sink;

  private PointerChase() {}

  /** One area and what a load in it took. */
  record Point(long bytes, double nanos) {}

  /** Areas from 16 KiB to {@code largestBytes}, each four times the last. */
  static List<Point> measure(long largestBytes, long seed, BooleanSupplier stop) {
    List<Point> points = new ArrayList<>();
    for (long bytes = SMALLEST_BYTES; !stop.getAsBoolean(); bytes *= STEPS) {
      long size = Math.min(bytes, largestBytes);
      points.add(new Point(size, nanosPerLoad(ring((int) (size / LINE_BYTES), seed), stop)));
      if (size == largestBytes) {
        break;
      }
    }
    return points;
  }

  /**
   * One line after the other in a single random circle: Sattolo's shuffle, which makes no shorter
   * ones. The first int of each line is the index of the next line's.
   */
  static int[] ring(int lines, long seed) {
    int[] order = new int[lines];
    for (int i = 0; i < lines; i++) {
      order[i] = i;
    }
    SeededRandom random = new SeededRandom(seed);
    for (int i = lines - 1; i > 0; i--) {
      int other = random.nextInt(i);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
    int[] ring = new int[lines * LINE_INTS];
    for (int i = 0; i < lines; i++) {
      ring[order[i] * LINE_INTS] = order[(i + 1) % lines] * LINE_INTS;
    }
    return ring;
  }

  private static double nanosPerLoad(int[] ring, BooleanSupplier stop) {
    // Once round first, so that what the caches can hold is in them.
    int at = walk(ring, 0, ring.length / LINE_INTS);
    at = walk(ring, at, BATCH);
    long loads = 0;
    long begin = System.nanoTime();
    long now = begin;
    while (now - begin < NANOS && !stop.getAsBoolean()) {
      at = walk(ring, at, BATCH);
      loads += BATCH;
      now = System.nanoTime();
    }
    sink = at;
    return loads == 0 ? Double.NaN : (double) (now - begin) / loads;
  }

  static int walk(int[] ring, int from, int steps) {
    int at = from;
    for (int i = 0; i < steps; i++) {
      at = ring[at];
    }
    return at;
  }
}
