package ebb.disk;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.units.Human;
import ebb.disk.FioReference.Engine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** An outcome as one HTML page. It computes no figures. */
final class DiskPage {
  private static final int MAX_SERIES = 8;
  private static final double[] PERCENTILES = {
    0, 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 85, 90, 92, 94, 95, 96, 97, 98, 99, 99.5, 99.9
  };

  private DiskPage() {}

  static HtmlReport of(DiskOutcome outcome) {
    HtmlReport page = new HtmlReport("Ebb: what this disk does");
    page.lead(String.join(". ", DiskText.setUp(outcome)) + ".");
    answer(page, outcome.results());
    outcome.notes().forEach(page::warning);
    page.heading("Cases");
    page.table(cases(outcome));
    if (!outcome.results().isEmpty()) {
      page.heading("Latency");
      page.chart(chart(outcome));
    }
    if (!outcome.fioVersion().isEmpty()) {
      page.heading("Beside " + outcome.fioVersion());
      page.table(fio(outcome));
    }
    page.heading("How it was measured");
    page.paragraph(
        "Files that the run made were written in full before anything was measured. Direct requests go past the"
            + " page cache (O_DIRECT, aligned memory); a device's own cache is not passed by. Every"
            + " thread has one request outstanding, so threads are the queue's depth, for each file. Warm-up is"
            + " not counted, and what it wrote was synced before the measurement. A case had"
            + " settled when its rate over five windows differed by at most 20% and rose or fell by"
            + " at most 10%.");
    return page;
  }

  /** The most that it moved, the most that it answered, past the page cache where it could be. */
  private static void answer(HtmlReport page, List<CaseResult> all) {
    boolean direct = all.stream().anyMatch(result -> result.what.direct());
    List<CaseResult> results =
        all.stream().filter(result -> result.what.direct() == direct).toList();
    ToDoubleFunction<CaseResult> rate = result -> result.median(CaseFigures::bytesPerSecond);
    ToDoubleFunction<CaseResult> requests = result -> result.median(CaseFigures::perSecond);
    Optional<CaseResult> most = results.stream().max(Comparator.comparingDouble(rate));
    Optional<CaseResult> quickest = results.stream().max(Comparator.comparingDouble(requests));
    if (most.isPresent() && quickest.isPresent()) {
      page.answer(
          "At most "
              + Human.byteRate(rate.applyAsDouble(most.get()))
              + " ("
              + most.get().what.words()
              + ") and "
              + DiskText.count(requests.applyAsDouble(quickest.get()))
              + " requests a second ("
              + quickest.get().what.words()
              + ")"
              + (direct ? "." : ", by the page cache."));
    }
  }

  private static Table cases(DiskOutcome outcome) {
    Table table =
        new Table()
            .text("Block")
            .text("Access")
            .text("Operation")
            .text("Of these")
            .number("Threads", Unit.COUNT)
            .text("Way")
            .number("Requests", Unit.PER_SECOND)
            .number("Bandwidth", Unit.BYTES_PER_SECOND)
            .number("Mean", Unit.NANOS)
            .number("Median", Unit.NANOS)
            .number("99%", Unit.NANOS)
            .number("99.9%", Unit.NANOS)
            .number("Longest", Unit.NANOS)
            .text("Settled");
    for (CaseResult result : outcome.results()) {
      for (Part part : result.parts()) {
        table.row(
            DiskCase.block(result.what.blockBytes()),
            result.what.access().word(),
            result.what.operation().word(),
            part.isWhole() ? "all" : part.words(),
            result.what.threads(),
            result.what.path(),
            result.median(part, CaseFigures::perSecond),
            result.median(part, CaseFigures::bytesPerSecond),
            result.median(part, CaseFigures::meanNanos),
            result.median(part, f -> f.percentileNanos(50)),
            result.median(part, f -> f.percentileNanos(99)),
            result.median(part, f -> f.percentileNanos(99.9)),
            result.median(part, CaseFigures::maxNanos),
            result.isSteady(part) ? "yes" : "no");
      }
    }
    return table;
  }

  private static Table fio(DiskOutcome outcome) {
    Table table =
        new Table()
            .text("Case")
            .number("Ebb", Unit.PER_SECOND)
            .number("psync", Unit.PER_SECOND)
            .number("Ratio", Unit.NONE)
            .number("libaio", Unit.PER_SECOND)
            .number("Ratio", Unit.NONE)
            .number("io_uring", Unit.PER_SECOND)
            .number("Ratio", Unit.NONE);
    for (CaseResult result : outcome.results()) {
      for (Part part : result.parts()) {
        if (part.isWhole() || part.isSide()) {
          table.row(
              result.what.words() + (part.isWhole() ? "" : ": " + part.words()),
              result.median(part, CaseFigures::perSecond),
              result.perSecond(Engine.PSYNC, part),
              result.ratio(Engine.PSYNC, part),
              result.perSecond(Engine.LIBAIO, part),
              result.ratio(Engine.LIBAIO, part),
              result.perSecond(Engine.IO_URING, part),
              result.ratio(Engine.IO_URING, part));
        }
      }
    }
    return table;
  }

  /** On a logarithmic scale: cache and disk lie three powers of ten apart. */
  private static LineChart chart(DiskOutcome outcome) {
    List<CaseResult> results = new ArrayList<>(outcome.results());
    // The cases that went past the page cache first, when there are too many to tell apart.
    results.sort(Comparator.comparing(result -> !result.what.direct()));
    LineChart chart =
        new LineChart("Latency by percentile", "of the requests take at most so long")
            .percentiles();
    for (int from = 0; from < results.size(); from += MAX_SERIES) {
      List<Series> lines = new ArrayList<>();
      for (CaseResult result : results.subList(from, Math.min(results.size(), from + MAX_SERIES))) {
        double[] nanos = new double[PERCENTILES.length];
        for (int i = 0; i < nanos.length; i++) {
          double percent = PERCENTILES[i];
          nanos[i] = result.median(f -> f.percentileNanos(percent));
        }
        lines.add(new Series(result.what.words(), PERCENTILES.clone(), nanos));
      }
      chart.logPanel("Latency", Unit.NANOS, lines.toArray(new Series[0]));
    }
    return chart;
  }
}
