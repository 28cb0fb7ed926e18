package ebb.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * Blocks copied out of an area or into it; the other end is a buffer of one block, which stays in
 * the cache if it fits. A block of one byte is one load or store, which the JIT may not join with
 * its neighbours. It keeps the area; it is reused.
 */
final class BlockBench {
  private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
  private static final int BATCH_BYTES = 1 << 20;
  private static final int MIN_BATCH = 1;
  private static final int MAX_BATCH = 10_000;
  private static final long WINDOW_NANOS = 50_000_000;
  private static final int QUIET_WINDOWS = 3;
  private static final int MAX_WINDOWS = 100;
  private static final double FASTER = 1.1;

  /** Knuth's MMIX generator: a multiplication and an addition, so that memory is what is timed. */
  private static final long MULTIPLIER = 6_364_136_223_846_793_005L;

  private static final long INCREMENT = 1_442_695_040_888_963_407L;

  @SuppressWarnings("UnusedVariable") // only written, which the JIT cannot leave out
  private static volatile int sink;

  private final byte[] area;
  private final long seed;

  BlockBench(int areaBytes, long seed) {
    area = new byte[areaBytes];
    this.seed = seed;
    Arrays.fill(area, (byte) 1);
  }

  /** What a case came to: blocks of all threads in all, and nanoseconds for a block in one. */
  record Figures(double blocksPerSecond, double nanosPerBlock) {}

  /** Measures one case. */
  Figures measure(BlockCase what, long measureMicros, BooleanSupplier stop)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(what.threads());
    try {
      CyclicBarrier together = new CyclicBarrier(what.threads());
      List<Future<Double>> rates = new ArrayList<>();
      for (int i = 0; i < what.threads(); i++) {
        Walker walker = new Walker(area, what, i, seed);
        rates.add(
            threads.submit(
                () -> {
                  walker.warmUp(stop);
                  together.await();
                  return walker.perSecond(measureMicros * 1_000, stop);
                }));
      }
      double sum = 0;
      for (Future<Double> rate : rates) {
        sum += rate.get();
      }
      return new Figures(sum, what.threads() / sum * 1e9);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** One thread's way through the area. */
  private static final class Walker {
    private final byte[] area;
    private final BlockCase what;
    private final byte[] buffer;
    private final int blocks;
    private final int first;
    private final int own;
    private final int batch;
    private long state;
    private int next;

    Walker(byte[] area, BlockCase what, int index, long seed) {
      this.area = area;
      this.what = what;
      buffer = new byte[what.blockBytes()];
      blocks = area.length / what.blockBytes();
      own = blocks / what.threads();
      first = own * index;
      batch = Math.max(MIN_BATCH, Math.min(MAX_BATCH, BATCH_BYTES / what.blockBytes()));
      state = seed + index;
    }

    /** Until the rate no longer grows: the JIT compiles in its own time on a busy machine. */
    void warmUp(BooleanSupplier stop) {
      double best = 0;
      int quiet = 0;
      for (int i = 0; i < MAX_WINDOWS && quiet < QUIET_WINDOWS && !stop.getAsBoolean(); i++) {
        double rate = perSecond(WINDOW_NANOS, stop);
        quiet = rate > FASTER * best ? 0 : quiet + 1;
        best = Math.max(best, rate);
      }
    }

    double perSecond(long nanos, BooleanSupplier stop) {
      long done = 0;
      long begin = System.nanoTime();
      long now = begin;
      while (now - begin < nanos && !stop.getAsBoolean()) {
        if (what.blockBytes() == 1) {
          bytes();
        } else {
          blocks();
        }
        done += batch;
        now = System.nanoTime();
      }
      sink = buffer[0];
      return done / ((now - begin) / 1e9);
    }

    private void bytes() {
      if (what.random()) {
        if (what.write()) {
          state = storeRandom(area, batch, state);
        } else {
          state = loadRandom(area, batch, state, buffer);
        }
        return;
      }
      // Whole stretches, so that the loop inside knows its end.
      for (int left = batch; left > 0; ) {
        int length = Math.min(left, own - next);
        if (what.write()) {
          store(area, first + next, length);
        } else {
          buffer[0] += load(area, first + next, length);
        }
        next = next + length == own ? 0 : next + length;
        left -= length;
      }
    }

    private void blocks() {
      int size = what.blockBytes();
      for (int i = 0; i < batch; i++) {
        int block;
        if (what.random()) {
          state = state * MULTIPLIER + INCREMENT;
          block = scaled(state, blocks);
        } else {
          block = first + next;
          next = next + 1 == own ? 0 : next + 1;
        }
        int at = block * size;
        if (what.write()) {
          System.arraycopy(buffer, 0, area, at, size);
        } else {
          System.arraycopy(area, at, buffer, 0, size);
        }
      }
    }
  }

  /** Of 31 high bits, uniform below {@code bound}: low bits of such generators are not random. */
  private static int scaled(long state, int bound) {
    return (int) (((state >>> 33) * bound) >>> 31);
  }

  private static byte load(byte[] area, int from, int length) {
    byte sum = 0;
    for (int i = from; i < from + length; i++) {
      sum += (byte) BYTES.getOpaque(area, i);
    }
    return sum;
  }

  private static void store(byte[] area, int from, int length) {
    for (int i = from; i < from + length; i++) {
      BYTES.setOpaque(area, i, (byte) i);
    }
  }

  private static long loadRandom(byte[] area, int times, long from, byte[] result) {
    long state = from;
    byte sum = 0;
    for (int i = 0; i < times; i++) {
      state = state * MULTIPLIER + INCREMENT;
      sum += (byte) BYTES.getOpaque(area, scaled(state, area.length));
    }
    result[0] += sum;
    return state;
  }

  private static long storeRandom(byte[] area, int times, long from) {
    long state = from;
    for (int i = 0; i < times; i++) {
      state = state * MULTIPLIER + INCREMENT;
      BYTES.setOpaque(area, scaled(state, area.length), (byte) i);
    }
    return state;
  }
}
