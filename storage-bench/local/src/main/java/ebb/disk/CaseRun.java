package ebb.disk;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs one case once on threads of its own: warm-up, measurement, fsync. */
final class CaseRun {
  private static final double NANOS = 1e9;

  private CaseRun() {}

  /** The figures; null when it was stopped before the end. */
  static @Nullable CaseFigures measure(
      DiskPlan plan, DiskCase what, BenchFile file, BooleanSupplier stop)
      throws InterruptedException {
    List<FileChannel> channels = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(what.threads());
    try {
      if (!what.direct() && what.operation() == DiskCase.Operation.READ && !file.isInMemory()) {
        file.preRead(stop);
      }
      List<DiskWorker> workers = new ArrayList<>();
      for (int i = 0; i < what.threads(); i++) {
        FileChannel channel = file.open(what.direct());
        channels.add(channel);
        workers.add(
            new DiskWorker(
                what,
                i,
                channel,
                plan.fileBytes(),
                file.alignment(),
                plan.seed(),
                plan.fsync() == DiskPlan.Fsync.EACH));
      }
      return measure(plan, what, channels.get(0), workers, threads, stop);
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot measure (" + what.words() + "): " + OneLine.of(e), e);
    } catch (OutOfMemoryError e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "no memory for the buffers of " + what.words() + " (EBB_JAVA_OPTS=-Xmx4g gives more)",
          e);
    } finally {
      threads.shutdownNow();
      for (FileChannel channel : channels) {
        close(channel);
      }
    }
  }

  private static @Nullable CaseFigures measure(
      DiskPlan plan,
      DiskCase what,
      FileChannel channel,
      List<DiskWorker> workers,
      ExecutorService threads,
      BooleanSupplier stop)
      throws IOException, InterruptedException {
    boolean writes = what.operation() == DiskCase.Operation.WRITE;
    phase(plan, workers, threads, plan.warmUpMicros() * 1_000, false, stop);
    if (writes) {
      // What the warm-up wrote is not left for the measurement to pay.
      channel.force(false);
    }
    long lengthNanos = plan.measureMicros() * 1_000;
    long begin = System.nanoTime();
    long requests = phase(plan, workers, threads, lengthNanos, true, stop);
    // With a rate, requests that were due may end late; their time counts.
    double seconds =
        plan.ratePerSecond() > 0
            ? Math.max(lengthNanos, System.nanoTime() - begin) / NANOS
            : lengthNanos / NANOS;
    double syncSeconds = 0;
    if (writes && plan.fsync() == DiskPlan.Fsync.END) {
      long syncBegin = System.nanoTime();
      channel.force(false);
      syncSeconds = (System.nanoTime() - syncBegin) / NANOS;
    }
    if (stop.getAsBoolean()) {
      return null;
    }
    Histogram latencies = new Histogram(workers.get(0).latencies);
    double[] windows = new double[Steadiness.WINDOWS];
    long clamped = 0;
    long unsent = 0;
    for (DiskWorker worker : workers) {
      latencies.add(worker.latencies);
      clamped += worker.clampedCount;
      unsent += worker.unsent;
      for (int i = 0; i < windows.length; i++) {
        windows[i] += worker.windows[i] / (lengthNanos / NANOS / windows.length);
      }
    }
    return new CaseFigures(
        what,
        requests,
        seconds + syncSeconds,
        syncSeconds,
        latencies,
        Steadiness.isSteady(windows),
        Arrays.stream(windows).boxed().toList(),
        clamped,
        unsent);
  }

  private static long phase(
      DiskPlan plan,
      List<DiskWorker> workers,
      ExecutorService threads,
      long lengthNanos,
      boolean counted,
      BooleanSupplier stop)
      throws IOException, InterruptedException {
    if (lengthNanos == 0) {
      return 0;
    }
    double interval = plan.ratePerSecond() > 0 ? workers.size() * NANOS / plan.ratePerSecond() : 0;
    long from = System.nanoTime();
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      DiskWorker worker = workers.get(i);
      // The threads take turns, so that a rate is even.
      long offset = (long) (interval * i / workers.size());
      if (offset >= lengthNanos) {
        break;
      }
      running.add(
          threads.submit(
              () -> worker.run(from + offset, lengthNanos - offset, interval, counted, stop)));
    }
    long requests = 0;
    for (Future<Long> future : running) {
      try {
        requests += future.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failed) {
          throw failed;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return requests;
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The file is removed next, and says so if it cannot be.
    }
  }
}
