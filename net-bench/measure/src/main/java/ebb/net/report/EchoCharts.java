package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.net.Keys;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The charts of a result of echoes, from its rows. */
final class EchoCharts {
  private static final int BINS = 40;

  private EchoCharts() {}

  /** Adds all; nothing without rows. */
  static void add(HtmlReport page, ResultRecord result) {
    List<Map<String, @Nullable Object>> rows = result.rows();
    if (rows.isEmpty()) {
      return;
    }
    if (rows.get(0).containsKey("seq")) {
      singly(page, rows);
    } else {
      bySecond(page, rows);
    }
  }

  private static void singly(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    double[] at = column(rows, "sent_micros", 1e-6);
    double[] micros = column(rows, "round_trip_micros", 1);
    Map<Long, Double> lost = new TreeMap<>();
    LatencyHistogram rtt = new LatencyHistogram();
    for (int i = 0; i < at.length; i++) {
      lost.merge((long) at[i], Double.isNaN(micros[i]) ? 1.0 : 0.0, Double::sum);
      if (micros[i] >= 0) {
        rtt.recordMicros((long) micros[i]);
      }
    }
    LineChart time = new LineChart("Round trips and losses over time", "seconds");
    time.panel(
        "Round trip, ms",
        new Series("round trip", at, Arrays.stream(micros).map(v -> v / 1e3).toArray()));
    time.panel(
        "Lost, echoes sent in the second",
        new Series(
            "lost",
            lost.keySet().stream().mapToDouble(Long::doubleValue).toArray(),
            lost.values().stream().mapToDouble(Double::doubleValue).toArray()));
    page.chart(time);
    if (rtt.count() > 0) {
      page.chart(distribution(rtt));
    }
  }

  /** The part of the answers that took at most so long, and how many took about so long. */
  private static LineChart distribution(LatencyHistogram rtt) {
    EchoBins bins = EchoBins.of(rtt, BINS);
    double[] ends = new double[bins.count()];
    double[] counts = new double[bins.count()];
    double[] parts = new double[bins.count()];
    double sum = 0;
    for (int i = 0; i < ends.length; i++) {
      ends[i] = bins.fromMicros(i + 1) / 1e3;
      counts[i] = bins.inBin(i);
      sum += counts[i];
      parts[i] = 100 * sum / rtt.count();
    }
    return new LineChart("Round trips by length", "milliseconds")
        .panel("Answers that took at most so long, %", new Series("at most", ends, parts))
        .panel("Answers that took about so long", new Series("about", ends, counts));
  }

  private static void bySecond(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    double[] at = column(rows, Keys.TO_MICROS, 1e-6);
    LineChart time = new LineChart("Round trips and losses over time", "seconds");
    time.panel(
        "Round trip of each second, ms",
        new Series("min", at, column(rows, "round_trip_min_micros", 1e-3)),
        new Series("mean", at, column(rows, "round_trip_mean_micros", 1e-3)),
        new Series("max", at, column(rows, "round_trip_max_micros", 1e-3)));
    time.panel("Lost, echoes", new Series("lost", at, column(rows, Keys.LOST_MESSAGES, 1)));
    page.chart(time);
  }

  private static double[] column(
      List<Map<String, @Nullable Object>> rows, String name, double factor) {
    return rows.stream()
        .mapToDouble(
            row ->
                row.get(name) instanceof Number value ? value.doubleValue() * factor : Double.NaN)
        .toArray();
  }
}
