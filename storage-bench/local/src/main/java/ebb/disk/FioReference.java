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

  private final StoppableRuns runs = new StoppableRuns();

  /** What fio says it reached. */
  record Figures(double perSecond, double bytesPerSecond, double p50Nanos, double p99Nanos) {}

  /** How fio keeps requests outstanding. */
  enum Engine {
    /** One in each of so many threads, as Ebb does. */
    PSYNC,
    /** So many from one thread. */
    LIBAIO;

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
  @Nullable Figures measure(DiskPlan plan, DiskCase what, BenchFile file, Engine engine)
      throws InterruptedException {
    String json = output(command(plan, what, file, engine));
    return runs.isStopped() ? null : parse(json, what.operation());
  }

  /** Ends what runs; nothing runs from now on. */
  void stop() {
    runs.stop();
  }

  static List<String> command(DiskPlan plan, DiskCase what, BenchFile file, Engine engine) {
    boolean aio = engine == Engine.LIBAIO;
    List<String> words = new ArrayList<>();
    words.add("fio");
    words.add("--name=ebb");
    words.add("--filename=" + file.path().toAbsolutePath().toString().replace(":", "\\:"));
    words.add("--output-format=json");
    words.add("--ioengine=" + engine.word());
    words.add("--iodepth=" + (aio ? what.threads() : 1));
    words.add("--numjobs=" + (aio ? 1 : what.threads()));
    words.add("--thread");
    words.add("--group_reporting");
    boolean random = what.access() == DiskCase.Access.RANDOM;
    words.add("--rw=" + (random ? "rand" : "") + what.operation().word());
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
    if (what.operation() == DiskCase.Operation.WRITE) {
      switch (plan.fsync()) {
        case NONE -> {}
        case END -> words.add("--end_fsync=1");
        case EACH -> words.add("--fdatasync=1");
      }
    }
    return words;
  }

  /** Reads fio's JSON. */
  static Figures parse(String json, DiskCase.Operation operation) {
    try {
      // Fio may write notes before it.
      int begin = json.indexOf('{');
      Map<String, Object> all = JSON.std.mapFrom(json.substring(Math.max(0, begin)));
      Map<?, ?> job = (Map<?, ?>) ((List<?>) get(all, "jobs")).get(0);
      Map<?, ?> side = (Map<?, ?>) get(job, operation.word());
      Map<?, ?> latency = (Map<?, ?>) get(side, "clat_ns");
      return new Figures(
          number(side, "iops"),
          number(side, "bw_bytes"),
          percentile(latency, "50.000000"),
          percentile(latency, "99.000000"));
    } catch (IOException | RuntimeException e) {
      throw new EbbException(ExitCode.INTERNAL, "fio's result could not be read", e);
    }
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
    Program.Ended ended;
    try {
      ended = runs.run(Program.of(command), LONGEST_CASE);
    } catch (IOException e) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "--compare-fio: " + OneLine.of(e), e);
    }
    if (ended == null) {
      return "";
    }
    if (!ended.isDone()) {
      throw new EbbException(
          ExitCode.INTERNAL,
          String.format(
              Locale.ROOT,
              "fio ended with %d: %s",
              ended.code(),
              ended
                  .output()
                  .lines()
                  .filter(l -> l.contains("fio:"))
                  .findFirst()
                  .orElse("no reason given")));
    }
    return ended.output();
  }
}
