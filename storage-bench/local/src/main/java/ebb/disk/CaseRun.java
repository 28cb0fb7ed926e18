package ebb.disk;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import ebb.disk.DiskCase.Operation;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs one case once, on all files at once and threads of its own: warm-up, measurement, fsync. */
final class CaseRun {
  private static final double NANOS = 1e9;

  private final DiskPlan plan;
  private final DiskCase what;
  private final BooleanSupplier stop;
  private final ExecutorService threads;
  private final List<Target> targets = new ArrayList<>();

  /** One file, its threads, and how long its last fsync took. */
  private static final class Target {
    final String name;
    final List<FileChannel> channels = new ArrayList<>();
    final List<DiskWorker> workers = new ArrayList<>();
    double syncSeconds;

    Target(String name) {
      this.name = name;
    }

    double sync() throws IOException {
      long begin = System.nanoTime();
      channels.get(0).force(false);
      return (System.nanoTime() - begin) / NANOS;
    }
  }

  private CaseRun(DiskPlan plan, DiskCase what, int files, BooleanSupplier stop) {
    this.plan = plan;
    this.what = what;
    this.stop = stop;
    threads = Executors.newFixedThreadPool(files * what.threads());
  }

  /** The figures, those of everything first; none when it was stopped before the end. */
  static @Nullable List<CaseFigures> measure(
      DiskPlan plan, DiskCase what, BenchFiles files, BooleanSupplier stop)
      throws InterruptedException {
    CaseRun run = new CaseRun(plan, what, files.all().size(), stop);
    try {
      for (BenchFile file : files.all()) {
        run.open(file);
      }
      return run.measure();
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot measure (" + what.words() + "): " + OneLine.of(e), e);
    } catch (OutOfMemoryError e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "no memory for the buffers of " + what.words() + " (EBB_JAVA_OPTS=-Xmx4g gives more)",
          e);
    } finally {
      run.close();
    }
  }

  private void open(BenchFile file) throws IOException {
    if (!what.direct() && what.operation() != Operation.WRITE && !file.isInMemory()) {
      file.preRead(stop);
    }
    Target target = new Target(file.name());
    targets.add(target);
    for (int i = 0; i < what.threads(); i++) {
      FileChannel channel = file.open(what.direct());
      target.channels.add(channel);
      target.workers.add(
          new DiskWorker(
              what,
              i,
              channel,
              plan.fileBytes(),
              file.alignment(),
              // Each file has offsets of its own.
              plan.seed() + (targets.size() - 1L) * DiskPlan.MAX_THREADS,
              plan.fsync() == DiskPlan.Fsync.EACH,
              plan.readPercent()));
    }
  }

  private @Nullable List<CaseFigures> measure() throws IOException, InterruptedException {
    boolean writes = what.operation() != Operation.READ;
    phase(plan.warmUpMicros() * 1_000, false);
    if (writes) {
      // What the warm-up wrote is not left for the measurement to pay.
      sync();
    }
    long lengthNanos = plan.measureMicros() * 1_000;
    long begin = System.nanoTime();
    phase(lengthNanos, true);
    // With a rate, requests that were due may end late; their time counts.
    double seconds =
        plan.ratePerSecond() > 0
            ? Math.max(lengthNanos, System.nanoTime() - begin) / NANOS
            : lengthNanos / NANOS;
    targets.forEach(target -> target.syncSeconds = 0);
    if (writes && plan.fsync() == DiskPlan.Fsync.END) {
      sync();
    }
    return stop.getAsBoolean() ? null : parts(seconds);
  }

  /** Everything, its sides, then each file and its sides. */
  private List<CaseFigures> parts(double seconds) {
    List<CaseFigures> parts = new ArrayList<>();
    addParts(parts, "", targets, seconds);
    for (Target target : targets) {
      if (targets.size() > 1) {
        addParts(parts, target.name, List.of(target), seconds);
      }
    }
    return parts;
  }

  private void addParts(List<CaseFigures> parts, String file, List<Target> of, double seconds) {
    List<Operation> sides = what.operation().sides();
    parts.add(figures(new Part(file, null), sides, of, seconds));
    for (Operation side : sides) {
      if (sides.size() > 1) {
        parts.add(figures(new Part(file, side), List.of(side), of, seconds));
      }
    }
  }

  private CaseFigures figures(Part part, List<Operation> sides, List<Target> of, double seconds) {
    Tally sum = new Tally();
    long unsent = 0;
    // Files are synced side by side.
    double syncSeconds = 0;
    for (Target target : of) {
      syncSeconds = Math.max(syncSeconds, target.syncSeconds);
      for (DiskWorker worker : target.workers) {
        unsent += part.side() == null ? worker.unsent : 0;
        worker.tallies.forEach(
            (side, tally) -> {
              if (sides.contains(side)) {
                sum.add(tally);
              }
            });
      }
    }
    double windowSeconds = plan.measureMicros() / 1e6 / Steadiness.WINDOWS;
    double[] windows = Arrays.stream(sum.windows).mapToDouble(n -> n / windowSeconds).toArray();
    return new CaseFigures(
        what,
        part,
        sum.latencies.getTotalCount(),
        seconds + syncSeconds,
        syncSeconds,
        sum.latencies,
        Steadiness.isSteady(windows),
        Arrays.stream(windows).boxed().toList(),
        sum.clampedCount,
        unsent);
  }

  private void phase(long lengthNanos, boolean counted) throws IOException, InterruptedException {
    if (lengthNanos == 0) {
      return;
    }
    List<DiskWorker> workers = targets.stream().flatMap(t -> t.workers.stream()).toList();
    double interval = plan.ratePerSecond() > 0 ? workers.size() * NANOS / plan.ratePerSecond() : 0;
    long from = System.nanoTime();
    List<Callable<Long>> running = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      DiskWorker worker = workers.get(i);
      // The threads take turns, so that a rate is even.
      long offset = (long) (interval * i / workers.size());
      if (offset >= lengthNanos) {
        break;
      }
      running.add(() -> worker.run(from + offset, lengthNanos - offset, interval, counted, stop));
    }
    all(running);
  }

  private void sync() throws IOException, InterruptedException {
    List<Double> seconds = all(targets.stream().<Callable<Double>>map(t -> t::sync).toList());
    for (int i = 0; i < seconds.size(); i++) {
      targets.get(i).syncSeconds = seconds.get(i);
    }
  }

  /** Does all of them at once. */
  private <T> List<T> all(List<Callable<T>> work) throws IOException, InterruptedException {
    List<Future<T>> running = new ArrayList<>();
    work.forEach(one -> running.add(threads.submit(one)));
    List<T> results = new ArrayList<>();
    for (Future<T> future : running) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failed) {
          throw failed;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return results;
  }

  private void close() {
    threads.shutdownNow();
    for (Target target : targets) {
      for (FileChannel channel : target.channels) {
        try {
          channel.close();
        } catch (IOException e) {
          // The file is removed next, and says so if it cannot be.
        }
      }
    }
  }
}
