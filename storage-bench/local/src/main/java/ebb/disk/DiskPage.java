package ebb.disk;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
    outcome.notes().forEach(page::paragraph);
    page.heading("Cases");
    page.table(
        List.of(
            "Block",
            "Access",
            "Operation",
            "Threads",
            "Way",
            "Requests a second",
            "Bandwidth",
            "Mean",
            "Median",
            "99%",
            "99.9%",
            "Longest",
            "Settled"),
        rows(outcome));
    if (!outcome.results().isEmpty()) {
      page.heading("Latency");
      page.chart(chart(outcome));
    }
    if (!outcome.fioVersion().isEmpty()) {
      page.heading("Beside " + outcome.fioVersion());
      page.table(
          List.of("Case", "Ebb, 1/s", "psync, 1/s", "Ratio", "libaio, 1/s", "Ratio"), fio(outcome));
    }
    page.heading("How it was measured");
    page.paragraph(
        "The file was written in full before anything was measured. Direct requests go past the"
            + " page cache (O_DIRECT, aligned memory); a device's own cache is not passed by. Every"
            + " thread has one request outstanding, so threads are the queue's depth. Warm-up is"
            + " not counted, and what it wrote was synced before the measurement. A case had"
            + " settled when its rate over five windows differed by at most 20% and rose or fell by"
            + " at most 10%.");
    return page;
  }

  private static List<List<String>> rows(DiskOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (CaseResult result : outcome.results()) {
      rows.add(
          List.of(
              DiskCase.block(result.what.blockBytes()),
              result.what.access().word(),
              result.what.operation().word(),
              "" + result.what.threads(),
              result.what.path(),
              DiskText.count(result.median(CaseFigures::perSecond)),
              Human.byteRate(result.median(CaseFigures::bytesPerSecond)),
              DiskText.nanos(result.median(CaseFigures::meanNanos)),
              DiskText.nanos(result.median(f -> f.percentileNanos(50))),
              DiskText.nanos(result.median(f -> f.percentileNanos(99))),
              DiskText.nanos(result.median(f -> f.percentileNanos(99.9))),
              DiskText.nanos(result.median(CaseFigures::maxNanos)),
              result.isSteady() ? "yes" : "no"));
    }
    return rows;
  }

  private static List<List<String>> fio(DiskOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (CaseResult result : outcome.results()) {
      rows.add(
          List.of(
              result.what.words(),
              DiskText.count(result.median(CaseFigures::perSecond)),
              DiskText.count(result.psyncPerSecond()),
              DiskText.ratio(result.psyncRatio()),
              DiskText.count(result.libaioPerSecond()),
              DiskText.ratio(result.libaioRatio())));
    }
    return rows;
  }

  /** Quantiles on a logarithmic scale: cache and disk lie three powers of ten apart. */
  private static LineChart chart(DiskOutcome outcome) {
    List<CaseResult> results = new ArrayList<>(outcome.results());
    // The cases that went past the page cache first, when there are too many to tell apart.
    results.sort(Comparator.comparing(result -> !result.what.direct()));
    LineChart chart =
        new LineChart("Latency by percentile, a line for each case", "percentile of the requests");
    for (int from = 0; from < results.size(); from += MAX_SERIES) {
      List<Series> lines = new ArrayList<>();
      for (CaseResult result : results.subList(from, Math.min(results.size(), from + MAX_SERIES))) {
        double[] nanos = new double[PERCENTILES.length];
        for (int i = 0; i < nanos.length; i++) {
          double percent = PERCENTILES[i];
          nanos[i] = Math.log10(Math.max(1, result.median(f -> f.percentileNanos(percent))) / 1e3);
        }
        lines.add(new Series(result.what.words(), PERCENTILES.clone(), nanos));
      }
      chart.panel(
          "Latency, powers of ten of a microsecond (0 is 1 us, 3 is 1 ms)",
          lines.toArray(new Series[0]));
    }
    return chart;
  }
}
