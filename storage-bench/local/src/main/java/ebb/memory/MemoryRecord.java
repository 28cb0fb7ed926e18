package ebb.memory;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
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
    if (!outcome.streams.isEmpty()) {
      page.answer("The best kernel moved " + Human.byteRate(outcome.best()) + ".");
    }
    outcome.notes().forEach(page::warning);
    page.heading("Kernels");
    page.table(kernels(outcome));
    page.heading("Blocks");
    page.table(blocks(outcome));
    page.heading("Latency of a load whose address the last one gave");
    List<PointerChase.Point> points = outcome.latencies;
    if (points.size() > 1) {
      double[] size = points.stream().mapToDouble(p -> (double) p.bytes()).toArray();
      double[] nanos = points.stream().mapToDouble(PointerChase.Point::nanos).toArray();
      page.chart(
          new LineChart("Latency by the size of the area", "area")
              .powersOfTwo()
              .panel("A load", Unit.NANOS, new Series("pointer chase", size, nanos)));
    }
    Table loads = new Table().text("Area").number("A load", Unit.NANOS);
    points.forEach(point -> loads.row(Human.bytes((double) point.bytes()), point.nanos()));
    page.table(loads);
    return page;
  }

  private static Table kernels(MemoryOutcome outcome) {
    Table table =
        new Table()
            .text("Kernel")
            .number("Threads", Unit.COUNT)
            .number("Ebb", Unit.BYTES_PER_SECOND)
            .number("C, gcc -O3", Unit.BYTES_PER_SECOND)
            .number("Ratio", Unit.NONE)
            .number("Of theory", Unit.RATIO);
    outcome.streams.forEach(
        (threads, stream) -> {
          for (Kernels kernel : Kernels.values()) {
            table.row(
                kernel.name().toLowerCase(Locale.ROOT),
                threads,
                stream.ebbMedian(kernel),
                stream.cMedian(kernel),
                stream.ratio(kernel),
                outcome.facts.modules() == 0
                    ? null
                    : stream.ebbMedian(kernel) / outcome.facts.theoreticalBytesPerSecond());
          }
        });
    return table;
  }

  private static Table blocks(MemoryOutcome outcome) {
    Table table =
        new Table()
            .text("Block")
            .text("Access")
            .text("Operation")
            .number("Threads", Unit.COUNT)
            .number("Blocks", Unit.PER_SECOND)
            .number("Bandwidth", Unit.BYTES_PER_SECOND)
            .number("Each takes", Unit.NANOS);
    for (BlockCase what : outcome.blocks.keySet()) {
      double rate = outcome.blocksPerSecond(what);
      table.row(
          MemoryText.block(what.blockBytes()),
          what.access(),
          what.operation(),
          what.threads(),
          rate,
          rate * what.blockBytes(),
          outcome.nanosPerBlock(what));
    }
    return table;
  }
}
