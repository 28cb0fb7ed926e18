package ebb.disk;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.core.process.StoppableRuns;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same case on the same file by fio, a process beside ours. It owns fio's words and the reading
 * of its JSON; the comparison is made elsewhere.
 */
final class FioReference {
  private static final Duration LONGEST_CASE = Duration.ofHours(2);

  private static final String JOB = "ebb";

  private final StoppableRuns runs = new StoppableRuns();

  /** What fio says it reached. */
  record Figures(double perSecond, double bytesPerSecond, double p50Nanos, double p99Nanos) {}

  /**
   * What it says of all requests, and of both sides of a mixture.
   *
   * @param all latencies of a mixture are not known
   */
  record Found(Figures all, @Nullable Figures read, @Nullable Figures write) {
    /** Null where fio does not tell: of single files. */
    @Nullable Figures of(Part part) {
      if (part.isWhole()) {
        return all;
      }
      return !part.isSide() ? null : part.side() == DiskCase.Operation.READ ? read : write;
    }
  }

  /** How fio keeps requests outstanding. */
  enum Engine {
    /** One in each of so many threads, as Ebb does. */
    PSYNC,
    /** So many from one thread, with the older of the kernel's two ways. */
    LIBAIO,
    /** The same with the newer one. */
    IO_URING;

    /** Those that go beside a case. */
    static List<Engine> beside(DiskCase what, boolean ioUring) {
      // One thread with one request outstanding is what psync is; without direct I/O libaio blocks.
      if (what.threads() == 1 || !what.direct()) {
        return List.of(PSYNC);
      }
      return ioUring ? List.of(PSYNC, LIBAIO, IO_URING) : List.of(PSYNC, LIBAIO);
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Fio's version, such as {@code fio-3.33}.
   *
   * @throws EbbException when it is not installed
   */
  String version() throws InterruptedException {
    String text = output(List.of("fio", "--version")).strip();
    if (!text.startsWith("fio-")) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "fio does not say its version");
    }
    return text;
  }

  /** Whether there is a fio to run. */
  static boolean isInstalled() {
    return Program.isInstalled("fio");
  }

  /** Measures; null when it was stopped. */
  @Nullable Found measure(DiskPlan plan, DiskCase what, BenchFiles files, Engine engine)
      throws InterruptedException {
    String json = output(command(plan, what, files.all(), engine));
    return runs.isStopped() ? null : parse(json, what.operation());
  }

  /**
   * Why there is no io_uring, which kernels and containers forbid, in fio's words; "" if there is.
   */
  String ioUringRefusal(BenchFile file) throws InterruptedException {
    Program.Ended ended =
        run(
            List.of(
                "fio",
                "--name=probe",
                "--readonly",
                filename(file),
                "--ioengine=" + Engine.IO_URING.word(),
                "--thread",
                "--rw=read",
                "--bs=1",
                "--size=1",
                "--number_ios=1"));
    return ended == null || ended.isDone() ? "" : reason(ended);
  }

  /** Ends what runs; nothing runs from now on. */
  void stop() {
    runs.stop();
  }

  static List<String> command(DiskPlan plan, DiskCase what, List<BenchFile> files, Engine engine) {
    boolean aio = engine != Engine.PSYNC;
    List<String> words = new ArrayList<>();
    words.add("fio");
    words.add("--name=global");
    words.add("--output-format=json");
    words.add("--ioengine=" + engine.word());
    words.add("--iodepth=" + (aio ? what.threads() : 1));
    words.add("--numjobs=" + (aio ? 1 : what.threads()));
    words.add("--thread");
    words.add("--group_reporting");
    boolean random = what.access() == DiskCase.Access.RANDOM;
    boolean mixed = what.operation() == DiskCase.Operation.MIXED;
    words.add("--rw=" + (random ? "rand" : "") + (mixed ? "rw" : what.operation().word()));
    if (mixed) {
      words.add("--rwmixread=" + plan.readPercent());
    }
    if (what.operation() == DiskCase.Operation.READ) {
      words.add("--readonly");
    }
    words.add("--bs=" + what.blockBytes());
    long size = plan.fileBytes();
    if (!random && !aio) {
      // As our threads do: each walks through its own part.
      size = size / what.threads() / what.blockBytes() * what.blockBytes();
      words.add("--offset_increment=" + size);
    }
    words.add("--size=" + size);
    // Our offsets may repeat before all have been visited.
    words.add("--norandommap");
    words.add("--randseed=" + plan.seed());
    words.add("--direct=" + (what.direct() ? 1 : 0));
    words.add("--invalidate=0");
    words.add("--allow_file_create=0");
    words.add("--fallocate=none");
    words.add("--time_based");
    words.add("--ramp_time=" + plan.warmUpMicros() + "us");
    words.add("--runtime=" + plan.measureMicros() + "us");
    if (what.operation() != DiskCase.Operation.READ) {
      switch (plan.fsync()) {
        case NONE -> {}
        case END -> words.add("--end_fsync=1");
        case EACH -> words.add("--fdatasync=1");
      }
    }
    for (BenchFile file : files) {
      words.add("--name=" + JOB);
      words.add(filename(file));
    }
    return words;
  }

  private static String filename(BenchFile file) {
    return "--filename=" + file.path().toAbsolutePath().toString().replace(":", "\\:");
  }

  /** Reads fio's JSON. */
  static Found parse(String json, DiskCase.Operation operation) {
    try {
      // Fio may write notes before it.
      int begin = json.indexOf('{');
      Map<String, Object> all = JSON.std.mapFrom(json.substring(Math.max(0, begin)));
      Map<?, ?> job = (Map<?, ?>) ((List<?>) get(all, "jobs")).get(0);
      if (operation != DiskCase.Operation.MIXED) {
        return new Found(figures(job, operation), null, null);
      }
      Figures read = figures(job, DiskCase.Operation.READ);
      Figures write = figures(job, DiskCase.Operation.WRITE);
      return new Found(
          new Figures(
              read.perSecond + write.perSecond,
              read.bytesPerSecond + write.bytesPerSecond,
              Double.NaN,
              Double.NaN),
          read,
          write);
    } catch (IOException | RuntimeException e) {
      throw new EbbException(ExitCode.INTERNAL, "fio's result could not be read", e);
    }
  }

  private static Figures figures(Map<?, ?> job, DiskCase.Operation operation) {
    Map<?, ?> side = (Map<?, ?>) get(job, operation.word());
    Map<?, ?> latency = (Map<?, ?>) get(side, "clat_ns");
    return new Figures(
        number(side, "iops"),
        number(side, "bw_bytes"),
        percentile(latency, "50.000000"),
        percentile(latency, "99.000000"));
  }

  private static double percentile(Map<?, ?> latency, String name) {
    return latency.get("percentile") instanceof Map<?, ?> percentiles
            && percentiles.get(name) instanceof Number value
        ? value.doubleValue()
        : Double.NaN;
  }

  private static Object get(Map<?, ?> map, String name) {
    Object value = map.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name);
    }
    return value;
  }

  private static double number(Map<?, ?> map, String name) {
    return ((Number) get(map, name)).doubleValue();
  }

  /** What it says; "" when it was stopped. */
  private String output(List<String> command) throws InterruptedException {
    Program.Ended ended = run(command);
    if (ended == null) {
      return "";
    }
    if (!ended.isDone()) {
      throw new EbbException(
          ExitCode.INTERNAL,
          String.format(Locale.ROOT, "fio ended with %d: %s", ended.code(), reason(ended)));
    }
    return ended.output();
  }

  private Program.@Nullable Ended run(List<String> command) throws InterruptedException {
    try {
      return runs.run(Program.of(command), LONGEST_CASE);
    } catch (IOException e) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "--compare-fio: " + OneLine.of(e), e);
    }
  }

  private static String reason(Program.Ended ended) {
    return ended
        .output()
        .lines()
        .filter(line -> line.contains("fio:"))
        .findFirst()
        .orElse("no reason given")
        .strip();
  }
}
