package ebb.net.report;

import ebb.core.report.BarChart;
import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.stats.LatencyHistogram;
import ebb.net.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The charts of a result of echoes, from its rows. */
final class EchoCharts {
  private static final int BINS = 40;

  private EchoCharts() {}

  /** Adds all that there are rows for, and what became of marks. */
  static void add(HtmlReport page, ResultRecord result) {
    List<Map<String, @Nullable Object>> rows = result.rows();
    if (!rows.isEmpty()) {
      if (rows.get(0).containsKey("seq")) {
        singly(page, rows);
      } else {
        bySecond(page, rows);
      }
    }
    MarksSection.add(page, result);
  }

  private static void singly(HtmlReport page, List<Map<String, @Nullable Object>> all) {
    List<Map<String, @Nullable Object>> rows = inOrder(all, "sent_micros");
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
    time.panel("Round trip", Unit.MICROS, new Series("round trip", at, micros));
    if (rtt.count() < at.length) {
      time.panel(
          "Lost, echoes sent in the second",
          Unit.COUNT,
          new Series(
              "lost",
              lost.keySet().stream().mapToDouble(Long::doubleValue).toArray(),
              lost.values().stream().mapToDouble(Double::doubleValue).toArray()));
    }
    page.chart(time);
    if (rtt.count() > 0) {
      page.chart(
          new LineChart("How many round trips took at most so long", "milliseconds")
              .logarithmicWhereWide()
              .panel(
                  "Answers",
                  Unit.RATIO,
                  Series.cdf(
                      "at most",
                      Arrays.stream(micros).filter(v -> v >= 0).map(v -> v / 1e3).toArray())));
      page.chart(histogram(rtt));
    }
  }

  private static BarChart histogram(LatencyHistogram rtt) {
    EchoBins bins = EchoBins.of(rtt, BINS);
    List<String> ends = new ArrayList<>();
    double[] counts = new double[bins.count()];
    for (int i = 0; i < counts.length; i++) {
      ends.add(String.format(Locale.ROOT, "%.3g", bins.fromMicros(i + 1) / 1e3));
      counts[i] = bins.inBin(i);
    }
    return new BarChart(
            "How many round trips took about so long",
            "Answers",
            Unit.COUNT,
            "up to milliseconds",
            ends)
        .bars("answers", counts)
        .histogram();
  }

  private static void bySecond(HtmlReport page, List<Map<String, @Nullable Object>> all) {
    List<Map<String, @Nullable Object>> rows = inOrder(all, Keys.TO_MICROS);
    double[] at = column(rows, Keys.TO_MICROS, 1e-6);
    LineChart time = new LineChart("Round trips and losses over time", "seconds");
    time.panel(
        "Round trip of each second",
        Unit.MICROS,
        new Series("min", at, column(rows, "round_trip_min_micros", 1)),
        new Series("mean", at, column(rows, "round_trip_mean_micros", 1)),
        new Series("max", at, column(rows, "round_trip_max_micros", 1)));
    time.panel(
        "Lost, echoes", Unit.COUNT, new Series("lost", at, column(rows, Keys.LOST_MESSAGES, 1)));
    page.chart(time);
  }

  /** Those that have a time, by it: a result may be of another program. */
  private static List<Map<String, @Nullable Object>> inOrder(
      List<Map<String, @Nullable Object>> rows, String time) {
    return rows.stream()
        .filter(row -> row.get(time) instanceof Number)
        .sorted(
            Comparator.comparingDouble(
                row -> row.get(time) instanceof Number at ? at.doubleValue() : 0))
        .toList();
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
