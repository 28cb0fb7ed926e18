package ebb.disk;

import ebb.core.result.ResultRecord;
import ebb.disk.FioReference.Engine;
import ebb.disk.FioReference.Figures;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An outcome as a result record: a row for each round of each case, and for each of its parts. It
 * computes no figures.
 */
final class DiskRecord {
  private DiskRecord() {}

  static void write(DiskOutcome outcome, ResultRecord.Builder result) {
    DiskPlan plan = outcome.plan();
    FileFacts file = outcome.file();
    Set<String> ways = new TreeSet<>();
    outcome.results().forEach(r -> ways.add(r.what.path()));
    result
        .fact("directory", String.join(", ", plan.places().stream().map(Path::toString).toList()))
        .fact("file_system", file.fileSystem())
        .fact("way", file.inMemory() ? "memory" : String.join(", ", ways))
        .fact("fsync", plan.fsync().word())
        .fact("latency", plan.ratePerSecond() > 0 ? "from due time" : "service time")
        .figure("file_bytes", plan.fileBytes())
        .figure("files", plan.files())
        .figure("mixed_read_percent", isMixed(plan) ? plan.readPercent() : Double.NaN)
        .figure("memory_bytes", file.memoryBytes())
        .figure("direct_alignment_bytes", file.direct() ? file.alignment() : Double.NaN)
        .figure("warm_up_micros", plan.warmUpMicros())
        .figure("measure_micros", plan.measureMicros())
        .figure("rounds", plan.rounds())
        .figure("seed", plan.seed())
        .figure("rate_per_second", plan.ratePerSecond() > 0 ? plan.ratePerSecond() : Double.NaN);
    if (!outcome.fioVersion().isEmpty()) {
      result
          .fact("fio", outcome.fioVersion())
          .figure("min_psync_ratio", min(outcome, Engine.PSYNC))
          .figure("min_libaio_ratio", min(outcome, Engine.LIBAIO))
          .figure("min_io_uring_ratio", min(outcome, Engine.IO_URING));
    }
    for (CaseResult measured : outcome.results()) {
      for (int round = 0; round < measured.rounds.size(); round++) {
        CaseResult.Round figures = measured.rounds.get(round);
        for (CaseFigures part : figures.parts()) {
          result.row(row(measured.what, round, figures, part));
        }
      }
    }
    outcome.notes().forEach(result::warning);
  }

  private static boolean isMixed(DiskPlan plan) {
    return plan.operations().contains(DiskCase.Operation.MIXED);
  }

  private static double min(DiskOutcome outcome, Engine engine) {
    return outcome.results().stream()
        .mapToDouble(result -> result.ratio(engine, Part.WHOLE))
        .filter(Double::isFinite)
        .min()
        .orElse(Double.NaN);
  }

  private static Map<String, @Nullable Object> row(
      DiskCase what, int round, CaseResult.Round figures, CaseFigures ebb) {
    Part part = ebb.part();
    DiskCase.Operation side = part.side();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("scope", part.isWhole() ? "case" : "part");
    row.put("file", part.file().isEmpty() ? null : part.file());
    row.put("side", side == null ? null : side.word());
    row.put("round", round + 1);
    row.put("block_bytes", what.blockBytes());
    row.put("access", what.access().word());
    row.put("operation", what.operation().word());
    row.put("threads", what.threads());
    row.put("way", what.path());
    row.put("requests", ebb.requests());
    row.put("seconds", ebb.seconds());
    row.put("sync_seconds", ebb.syncSeconds());
    row.put("requests_per_second", ebb.perSecond());
    row.put("bytes_per_second", ebb.bytesPerSecond());
    row.put("latency_mean_nanos", ebb.meanNanos());
    row.put("latency_p50_nanos", ebb.percentileNanos(50));
    row.put("latency_p90_nanos", ebb.percentileNanos(90));
    row.put("latency_p99_nanos", ebb.percentileNanos(99));
    row.put("latency_p999_nanos", ebb.percentileNanos(99.9));
    row.put("latency_p9999_nanos", ebb.percentileNanos(99.99));
    row.put("latency_max_nanos", ebb.maxNanos());
    row.put("steady", ebb.steady());
    for (int i = 0; i < ebb.windowsPerSecond().size(); i++) {
      row.put("window" + (i + 1) + "_requests_per_second", ebb.windowsPerSecond().get(i));
    }
    row.put("unsent_requests", ebb.unsent());
    row.put("clamped_requests", ebb.clampedCount());
    for (Engine engine : Engine.values()) {
      fio(row, "fio_" + engine.word(), figures.fio(engine, part));
    }
    return row;
  }

  private static void fio(
      Map<String, @Nullable Object> row, String name, @Nullable Figures figures) {
    row.put(name + "_requests_per_second", figures == null ? null : figures.perSecond());
    row.put(name + "_bytes_per_second", figures == null ? null : figures.bytesPerSecond());
    row.put(name + "_latency_p50_nanos", figures == null ? null : figures.p50Nanos());
    row.put(name + "_latency_p99_nanos", figures == null ? null : figures.p99Nanos());
  }
}
