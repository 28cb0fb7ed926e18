package ebb.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The kernels over three arrays, by several threads at once. It keeps the arrays; it is reused. */
final class StreamBench {
  private static final int WARM_UP_ELEMENTS = 4_096;
  private static final int WARM_UP_TIMES = 3_000;

  private final double[] a;
  private final double[] b;
  private final double[] c;

  StreamBench(int elements) {
    a = new double[elements];
    b = new double[elements];
    c = new double[elements];
    int part = Math.min(elements, WARM_UP_ELEMENTS);
    // Until the JIT has compiled them for good; a single long call would end in half-good code.
    for (int i = 0; i < WARM_UP_TIMES; i++) {
      for (Kernels kernel : Kernels.values()) {
        kernel.run(a, b, c, 0, part);
      }
    }
  }

  /**
   * Runs all kernels so many times, and takes the best time of each, the first left out, as STREAM
   * does.
   *
   * @return bytes a second by kernel; null when it was stopped
   * @throws IllegalStateException when the arrays do not hold the right values at the end
   */
  @Nullable List<Double> measure(int threads, int repeats, BooleanSupplier stop)
      throws InterruptedException {
    Arrays.fill(a, Kernels.FIRST_A);
    Arrays.fill(b, Kernels.FIRST_B);
    Arrays.fill(c, Kernels.FIRST_C);
    SpinBarrier barrier = new SpinBarrier(threads);
    long[] best = new long[Kernels.values().length];
    Arrays.fill(best, Long.MAX_VALUE);
    // Read by all after a barrier that the first thread comes to last, so all see the same.
    boolean[] ended = new boolean[1];
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      int index = i;
      Thread helper =
          new Thread(
              () -> work(index, threads, repeats, barrier, ended, best, stop), "ebb-memory-" + i);
      helper.setDaemon(true);
      helper.start();
      helpers.add(helper);
    }
    work(0, threads, repeats, barrier, ended, best, stop);
    for (Thread helper : helpers) {
      helper.join();
    }
    if (ended[0]) {
      return null;
    }
    if (!Kernels.isRight(a, b, c, repeats)) {
      throw new IllegalStateException("the kernels' results are wrong");
    }
    List<Double> bytesPerSecond = new ArrayList<>();
    for (Kernels kernel : Kernels.values()) {
      double bytes = (double) kernel.arrays * Double.BYTES * a.length;
      bytesPerSecond.add(bytes / best[kernel.place] * 1e9);
    }
    return bytesPerSecond;
  }

  private void work(
      int index,
      int threads,
      int repeats,
      SpinBarrier barrier,
      boolean[] ended,
      long[] best,
      BooleanSupplier stop) {
    int from = (int) ((long) a.length * index / threads);
    int to = (int) ((long) a.length * (index + 1) / threads);
    for (int repeat = 0; repeat < repeats; repeat++) {
      if (index == 0) {
        ended[0] = stop.getAsBoolean();
      }
      barrier.await();
      if (ended[0]) {
        return;
      }
      for (Kernels kernel : Kernels.values()) {
        barrier.await();
        long begin = System.nanoTime();
        kernel.run(a, b, c, from, to);
        barrier.await();
        if (index == 0 && repeat > 0) {
          int at = kernel.place;
          best[at] = Math.min(best[at], System.nanoTime() - begin);
        }
      }
    }
  }
}
