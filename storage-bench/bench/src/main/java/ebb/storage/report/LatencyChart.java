package ebb.storage.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How latencies of cases are spread: a line for each, the median of its repetitions at each
 * percentile. Transfers have one operation each, and so no spread.
 */
final class LatencyChart {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final String[] COLUMNS = {
    "latency_p50_micros", "latency_p90_micros", "latency_p99_micros", "latency_p999_micros"
  };

  /** More lines than these nobody can tell apart. */
  private static final int MOST_LINES = 12;

  private LatencyChart() {}

  /** Adds it to a page, its heading begun by {@code before}; nothing without latencies. */
  static void add(HtmlReport page, String before, List<ResultRecord> records) {
    Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
    for (ResultRecord record : records) {
      for (Map<String, @Nullable Object> row : record.rows()) {
        boolean isCase = "case".equals(row.get("scope")) && !"transfer".equals(row.get("measure"));
        if (isCase && Boolean.TRUE.equals(row.get("complete"))) {
          add(lines, row);
        }
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    Series[] drawn =
        lines.entrySet().stream()
            .limit(MOST_LINES)
            .map(one -> series(one.getKey(), one.getValue()))
            .toArray(Series[]::new);
    page.heading(before + "How latencies are spread");
    page.chart(
        new LineChart("Latency percentiles", "of the operations take at most so long")
            .percentiles()
            .logPanel("Latency", Unit.MICROS, drawn));
    if (lines.size() > MOST_LINES) {
      page.paragraph("The first " + MOST_LINES + " of " + lines.size() + "; the raw data has all.");
    }
  }

  private static void add(
      Map<String, List<List<Double>>> lines, Map<String, @Nullable Object> row) {
    List<Double> values = new ArrayList<>();
    for (String column : COLUMNS) {
      if (!(row.get(column) instanceof Number number)) {
        return;
      }
      values.add(number.doubleValue());
    }
    String name =
        String.join(
            ", ",
            Stream.of(
                    Samples.name(row),
                    row.get("region") instanceof String region ? region : "",
                    row.get("period") instanceof String period ? period : "")
                .filter(text -> !text.isEmpty())
                .toList());
    lines.computeIfAbsent(name, none -> new ArrayList<>()).add(values);
  }

  private static Series series(String name, List<List<Double>> repetitions) {
    double[] medians = new double[PERCENTILES.length];
    for (int i = 0; i < medians.length; i++) {
      int at = i;
      medians[i] =
          Summary.of(repetitions.stream().mapToDouble(one -> one.get(at)).toArray()).median();
    }
    return new Series(name, PERCENTILES, medians);
  }
}
