package ebb.memory;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.result.ResultRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An outcome as a result record and as an HTML page. It computes no figures. */
final class MemoryRecord {
  private MemoryRecord() {}

  static void write(MemoryOutcome outcome, ResultRecord.Builder result) {
    MemoryPlan plan = outcome.plan;
    double unknown = Double.NaN;
    long cache = outcome.facts.lastLevelCacheBytes();
    result
        .figure("area_bytes", plan.areaBytes())
        .figure("stream_array_bytes", plan.streamBytes())
        .figure("repeats", plan.repeats())
        .figure("rounds", plan.rounds())
        .figure("seed", plan.seed())
        .figure("measure_micros", plan.measureMicros())
        .figure("last_level_cache_bytes", cache == 0 ? unknown : cache)
        .figure(
            "theoretical_bytes_per_second",
            outcome.facts.modules() == 0 ? unknown : outcome.facts.theoreticalBytesPerSecond())
        .figure("best_kernel_bytes_per_second", outcome.best())
        .fact("pages", outcome.hugePages ? "huge" : "4 KiB");
    if (outcome.besideC) {
      result
          .fact("reference", String.join(" ", CReference.COMPILER))
          .figure("min_c_ratio", outcome.minRatio());
    }
    outcome.streams.forEach(
        (threads, stream) -> {
          for (int round = 0; round < stream.ebb.size(); round++) {
            for (Kernels kernel : Kernels.values()) {
              Map<String, @Nullable Object> row = row(kernel.name(), threads, round);
              row.put("bytes_per_second", stream.ebb.get(round).get(kernel.place));
              row.put(
                  "c_bytes_per_second",
                  stream.c.isEmpty() ? null : stream.c.get(round).get(kernel.place));
              result.row(row);
            }
          }
        });
    outcome.blocks.forEach(
        (what, rounds) -> {
          for (int round = 0; round < rounds.size(); round++) {
            BlockBench.Figures figures = rounds.get(round);
            Map<String, @Nullable Object> row =
                row(what.access() + "_" + what.operation(), what.threads(), round);
            row.put("block_bytes", what.blockBytes());
            row.put("bytes_per_second", figures.blocksPerSecond() * what.blockBytes());
            row.put("blocks_per_second", figures.blocksPerSecond());
            row.put("block_nanos", figures.nanosPerBlock());
            result.row(row);
          }
        });
    for (PointerChase.Point point : outcome.latencies) {
      Map<String, @Nullable Object> row = row("pointer_chase", 1, 0);
      row.put("area_bytes", point.bytes());
      row.put("load_nanos", point.nanos());
      result.row(row);
    }
    outcome.notes().forEach(result::warning);
  }

  private static Map<String, @Nullable Object> row(String what, int threads, int round) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("what", what.toLowerCase(Locale.ROOT));
    row.put("threads", threads);
    row.put("round", round + 1);
    return row;
  }

  static HtmlReport page(MemoryOutcome outcome) {
    HtmlReport page = new HtmlReport("Ebb: what this memory does");
    page.lead(MemoryText.setUp(outcome) + ". " + MemoryText.machine(outcome) + ".");
    outcome.notes().forEach(page::paragraph);
    page.heading("Kernels");
    page.table(MemoryText.streamColumns(), MemoryText.streamRows(outcome));
    page.heading("Blocks");
    page.table(MemoryText.blockColumns(), MemoryText.blockRows(outcome));
    page.heading("Latency of a load whose address the last one gave");
    page.table(MemoryText.latencyColumns(), MemoryText.latencyRows(outcome));
    List<PointerChase.Point> points = outcome.latencies;
    if (points.size() > 1) {
      double[] size =
          points.stream().mapToDouble(p -> Math.log((double) p.bytes()) / Math.log(2)).toArray();
      double[] nanos = points.stream().mapToDouble(PointerChase.Point::nanos).toArray();
      page.chart(
          new LineChart("Latency by the size of the area", "area, powers of two of a byte")
              .panel("Nanoseconds a load", new Series("pointer chase", size, nanos)));
    }
    return page;
  }
}
