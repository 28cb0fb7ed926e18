package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The charts of a result, from its figures and rows; those that there is nothing for are left out.
 */
final class RunCharts {
  private static final int MAX_SERIES = 8;

  private RunCharts() {}

  /** Adds all. */
  static void add(HtmlReport page, ResultRecord result) {
    if (result.rows().stream().anyMatch(row -> row.get("to_micros") != null)) {
      page.chart(time(result));
    }
    percentiles(page, result);
    rates(page, result);
  }

  /** One time line for everything. */
  private static LineChart time(ResultRecord result) {
    LineChart chart = new LineChart("The run over time", "seconds");
    panel(chart, result, "Throughput, Mbit/s", 1e-6, "rate_bits_per_second");
    panel(
        chart,
        result,
        "Round trips of the interval, ms",
        1e-3,
        "round_trip_p50_micros",
        "round_trip_p99_micros");
    panel(chart, result, "Jitter at the receiver, ms", 1e-3, "receiver_jitter_micros");
    panel(chart, result, "Lost at the receiver, messages", 1, "receiver_lost_messages");
    panel(chart, result, "cwnd, kB", 1e-3, "cwnd_bytes");
    panel(chart, result, "Round trip, smoothed, ms", 1e-3, "rtt_micros");
    if (panel(chart, result, "Queuing delay, ms", 1e-3, "queuing_delay_micros")) {
      target(chart, result);
    }
    baseDelay(chart, result);
    return chart;
  }

  private static boolean panel(
      LineChart chart, ResultRecord result, String title, double factor, String... columns) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (String column : columns) {
      String suffix = columns.length == 1 ? "" : " " + column.replaceAll(".*_(p\\d+)_.*", "$1");
      points(
          lines,
          result,
          row -> row.get("side") + " " + row.get("stream") + suffix,
          "to_micros",
          1e-6,
          column,
          factor);
    }
    if (lines.isEmpty()) {
      return false;
    }
    chart.panel(title, series(lines));
    return true;
  }

  /** A dashed line; where the controller moves its TARGET, there is no such line to draw. */
  private static void target(LineChart chart, ResultRecord result) {
    List<Long> targets =
        result.rows().stream()
            .map(row -> row.get("target_micros"))
            .filter(Number.class::isInstance)
            .map(value -> ((Number) value).longValue())
            .filter(value -> value > 0)
            .distinct()
            .toList();
    if (targets.size() == 1) {
      chart.reference(targets.get(0) / 1e3, "TARGET " + Human.micros(targets.get(0)));
    }
  }

  /** Base delays hold the two clocks' offset, so only how they move can be shown. */
  private static void baseDelay(LineChart chart, ResultRecord result) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    points(
        lines,
        result,
        row -> row.get("side") + " " + row.get("stream"),
        "to_micros",
        1e-6,
        "base_delay_micros",
        1e-3);
    if (lines.isEmpty()) {
      return;
    }
    for (List<double[]> line : lines.values()) {
      double lowest = line.stream().mapToDouble(point -> point[1]).min().orElse(0);
      line.forEach(point -> point[1] -= lowest);
    }
    chart.panel("Base delay above the smallest of the run, ms", series(lines));
  }

  private static void percentiles(HtmlReport page, ResultRecord result) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    Map<String, Double> known = new LinkedHashMap<>();
    known.put("min", 0.0);
    known.put("p50", -Math.log10(0.5));
    known.put("p90", 1.0);
    known.put("p99", 2.0);
    known.put("p99_9", 3.0);
    for (String from : List.of("round_trip", "planned_round_trip")) {
      known.forEach(
          (name, nines) -> {
            Number value = result.figures().get(from + "_" + name + "_micros");
            if (value != null) {
              lines
                  .computeIfAbsent(
                      from.equals("round_trip") ? "from sending" : "from the planned time",
                      unused -> new ArrayList<>())
                  .add(new double[] {nines, value.doubleValue() / 1e3});
            }
          });
    }
    if (!lines.isEmpty()) {
      page.chart(
          new LineChart("Latency percentiles", "1: 90% are at most so long, 2: 99%, 3: 99.9%")
              .panel("Round trip, ms", series(lines)));
    }
  }

  /** Loss and jitter against the rate that was asked for. */
  private static void rates(HtmlReport page, ResultRecord result) {
    Function<Map<String, @Nullable Object>, @Nullable String> name =
        row -> {
          boolean rated =
              "udp".equals(row.get("protocol"))
                  && "streaming".equals(row.get("mode"))
                  && row.get("asked_rate_bits_per_second") instanceof Number rate
                  && rate.longValue() > 0;
          return !rated
              ? null
              : row.get("from") != null
                  ? row.get("from") + " > " + row.get("to") + ", " + row.get("address")
                  : row.get("message_bytes") + " B";
        };
    String rate = "asked_rate_bits_per_second";
    LineChart chart = new LineChart("Loss and jitter against rate", "Mbit/s");
    boolean any = false;
    for (String column : List.of("loss_ratio", "jitter_micros")) {
      boolean loss = column.equals("loss_ratio");
      Map<String, List<double[]>> lines = new LinkedHashMap<>();
      points(lines, result, name, rate, 1e-6, column, loss ? 100 : 1e-3);
      lines.replaceAll((series, points) -> means(points));
      lines.values().removeIf(points -> points.size() < 2);
      if (!lines.isEmpty()) {
        chart.panel(loss ? "Lost, %" : "Jitter, ms", series(lines));
        any = true;
      }
    }
    if (any) {
      page.chart(chart);
    }
  }

  /** One point for each x, in order. */
  private static List<double[]> means(List<double[]> points) {
    Map<Double, double[]> sums = new java.util.TreeMap<>();
    for (double[] point : points) {
      double[] sum = sums.computeIfAbsent(point[0], unused -> new double[2]);
      sum[0] += point[1];
      sum[1]++;
    }
    List<double[]> means = new ArrayList<>();
    sums.forEach((x, sum) -> means.add(new double[] {x, sum[0] / sum[1]}));
    return means;
  }

  private static void points(
      Map<String, List<double[]>> lines,
      ResultRecord result,
      Function<Map<String, @Nullable Object>, @Nullable String> name,
      String x,
      double xFactor,
      String y,
      double yFactor) {
    for (Map<String, @Nullable Object> row : result.rows()) {
      String series = name.apply(row);
      if (series != null && row.get(x) instanceof Number at && row.get(y) instanceof Number value) {
        lines
            .computeIfAbsent(series, unused -> new ArrayList<>())
            .add(new double[] {at.doubleValue() * xFactor, value.doubleValue() * yFactor});
      }
    }
  }

  private static Series[] series(Map<String, List<double[]>> lines) {
    List<Series> series = new ArrayList<>();
    lines.forEach(
        (name, points) -> {
          points.sort(Comparator.comparingDouble(point -> point[0]));
          series.add(
              new Series(
                  name,
                  points.stream().mapToDouble(p -> p[0]).toArray(),
                  points.stream().mapToDouble(p -> p[1]).toArray()));
        });
    return series.subList(0, Math.min(MAX_SERIES, series.size())).toArray(new Series[0]);
  }
}
