package ebb.net.report;

import ebb.core.report.BoxPlot;
import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.Mechanisms;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.Column;
import ebb.net.mechanism.Mechanism;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The charts of a result, from its figures and rows; those that there is nothing for are left out.
 */
final class RunCharts {
  private static final int MAX_SERIES = 12;
  private static final String CLIENT = "net client";

  private RunCharts() {}

  /** Adds all. */
  static void add(HtmlReport page, ResultRecord result) {
    if (result.command().equals(LoadCharts.COMMAND)) {
      LoadCharts.add(page, result);
      return;
    }
    if (result.command().equals(YieldCharts.COMMAND)) {
      YieldCharts.add(page, result);
      return;
    }
    if (Mode.ECHO.text().equals(result.facts().get(Keys.MODE))) {
      EchoCharts.add(page, result);
      return;
    }
    if (result.rows().stream().anyMatch(row -> row.get(Keys.TO_MICROS) != null)) {
      page.chart(time(result));
    }
    percentiles(page, result);
    rates(page, result);
    repetitions(page, result);
  }

  /** What each run of several had. */
  private static void repetitions(HtmlReport page, ResultRecord result) {
    if (!result.command().equals(CLIENT)) {
      return;
    }
    double[] rates =
        RunSummary.finite(
            result.rows().stream().filter(row -> row.get(Keys.TO_MICROS) == null),
            Keys.RECEIVED_RATE);
    if (rates.length > 1) {
      page.chart(
          new BoxPlot("Throughput of the runs", "received", Unit.BITS_PER_SECOND)
              .box(rates.length + " runs", rates));
    }
  }

  /** The same charts of several runs in one; without as many nothing. */
  static void overlay(HtmlReport page, List<ResultRecord> results) {
    Map<String, List<double[]>> rates = new LinkedHashMap<>();
    Map<String, List<double[]>> trips = new LinkedHashMap<>();
    for (int i = 0; i < results.size(); i++) {
      String run = i + 1 + ". ";
      String name = run + RunSummary.title(results.get(i));
      String what = run + RunSummary.transport(results.get(i)) + " ";
      arrived(results.get(i)).forEach((line, points) -> rates.put(what + line, points));
      points(trips, results.get(i), row -> name, Keys.TO_MICROS, 1e-6, Keys.ROUND_TRIP_P50);
    }
    LineChart chart = new LineChart("The runs over one another", "seconds");
    if (rates.size() > 1) {
      chart.panel("Received", Unit.BITS_PER_SECOND, series(rates));
    }
    if (trips.size() > 1) {
      chart.panel("Round trips of the interval, median", Unit.MICROS, series(trips));
    }
    if (results.size() > 1 && !chart.isEmpty()) {
      page.chart(chart);
    }
  }

  /** One time line for everything. */
  private static LineChart time(ResultRecord result) {
    LineChart chart = new LineChart("The run over time", "seconds");
    Map<String, List<double[]>> arrived = arrived(result);
    if (!arrived.isEmpty()) {
      chart.panel("Received", Unit.BITS_PER_SECOND, series(arrived));
    }
    if (result.rows().stream().map(streams(result)).distinct().count() > arrived.size()) {
      panel(chart, result, "Each stream", Unit.BITS_PER_SECOND, Keys.RATE);
    }
    panel(
        chart,
        result,
        "Round trips of the interval",
        Unit.MICROS,
        Keys.ROUND_TRIP_P50,
        Keys.ROUND_TRIP_P99);
    panel(chart, result, "Jitter at the receiver", Unit.MICROS, Keys.RECEIVER_JITTER_MICROS);
    panel(chart, result, "Lost at the receiver, messages", Unit.COUNT, Keys.RECEIVER_LOST_MESSAGES);
    List<Column> columns = columns(result);
    List<@Nullable Column> references = columns.stream().map(Column::reference).toList();
    for (Column column : columns) {
      // What is a dashed line in the panel of another needs none of its own.
      if (!column.chart().isEmpty() && !references.contains(column)) {
        panel(chart, result, column);
      }
    }
    return chart;
  }

  /**
   * Bits a second that arrived, of all streams of a direction: the other end tells what came up, as
   * a whole; where it did not, what was handed over has to do.
   */
  private static Map<String, List<double[]>> arrived(ResultRecord result) {
    Map<String, TreeMap<Double, Double>> sums = new LinkedHashMap<>();
    boolean told = result.rows().stream().anyMatch(row -> row.get(Keys.RECEIVER_RATE) != null);
    for (Map<String, @Nullable Object> row : result.rows()) {
      String rate = told && !isDown(row) ? Keys.RECEIVER_RATE : Keys.RATE;
      if (row.get(Keys.TO_MICROS) instanceof Number to && row.get(rate) instanceof Number value) {
        sums.computeIfAbsent(isDown(row) ? "down" : "up", none -> new TreeMap<>())
            .merge(to.doubleValue() * 1e-6, value.doubleValue(), Double::sum);
      }
    }
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    sums.forEach(
        (name, sum) -> {
          List<double[]> points = new ArrayList<>();
          sum.forEach((at, value) -> points.add(new double[] {at, value}));
          lines.put(name, points);
        });
    return lines;
  }

  private static boolean isDown(Map<String, @Nullable Object> row) {
    return "receiver".equals(row.get(Keys.SIDE));
  }

  /**
   * {@code up 1}, or {@code up} where there is one stream only: a row is told by the client, who
   * sends up and receives what comes down.
   */
  private static Function<Map<String, @Nullable Object>, String> streams(ResultRecord result) {
    boolean one = result.rows().stream().map(row -> row.get(Keys.STREAM)).distinct().count() < 2;
    return row -> (isDown(row) ? "down" : "up") + (one ? "" : " " + row.get(Keys.STREAM));
  }

  /** Of the result's mechanism; of one that is not installed those that all have. */
  private static List<Column> columns(ResultRecord result) {
    return Mechanisms.find(result.facts().getOrDefault(Keys.PROTOCOL, ""))
        .map(Mechanism::columns)
        .orElse(List.of(Column.CWND, Column.RTT));
  }

  private static void panel(
      LineChart chart, ResultRecord result, String title, Unit unit, String... columns) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    for (String column : columns) {
      String suffix = columns.length == 1 ? "" : " " + column.replaceAll(".*_(p\\d+)_.*", "$1");
      over(lines, result, suffix, column);
    }
    if (!lines.isEmpty()) {
      chart.panel(title, unit, series(lines));
    }
  }

  private static void over(
      Map<String, List<double[]>> lines, ResultRecord result, String suffix, String column) {
    var stream = streams(result);
    points(lines, result, row -> stream.apply(row) + suffix, Keys.TO_MICROS, 1e-6, column);
  }

  /** What a transport says of itself. */
  private static void panel(LineChart chart, ResultRecord result, Column column) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    over(lines, result, "", column.key());
    if (lines.isEmpty()) {
      return;
    }
    String title = column.chart();
    if (column.unit() == Column.Unit.OFFSET_MICROS) {
      // Only how these move can be shown.
      title += " above the smallest of the run";
      for (List<double[]> line : lines.values()) {
        double lowest = line.stream().mapToDouble(point -> point[1]).min().orElse(0);
        line.forEach(point -> point[1] -= lowest);
      }
    }
    Unit unit =
        switch (column.unit()) {
          case COUNT -> Unit.COUNT;
          case BYTES -> Unit.BYTES;
          case MICROS, OFFSET_MICROS -> Unit.MICROS;
        };
    chart.panel(title, unit, series(lines));
    Column reference = column.reference();
    if (reference != null) {
      reference(chart, result, reference);
    }
  }

  /** A dashed line; what moves has no such line to draw. */
  private static void reference(LineChart chart, ResultRecord result, Column column) {
    List<Long> values =
        result.rows().stream()
            .map(row -> row.get(column.key()))
            .filter(Number.class::isInstance)
            .map(value -> ((Number) value).longValue())
            .filter(value -> value > 0)
            .distinct()
            .toList();
    if (values.size() == 1) {
      chart.reference(values.get(0), column.chart() + " " + Human.micros(values.get(0)));
    }
  }

  private static void percentiles(HtmlReport page, ResultRecord result) {
    Map<String, List<double[]>> lines = new LinkedHashMap<>();
    Map<String, Double> known = new LinkedHashMap<>();
    known.put("min", 0.0);
    known.put("p50", 50.0);
    known.put("p90", 90.0);
    known.put("p99", 99.0);
    known.put("p99_9", 99.9);
    for (String from : List.of(Keys.ROUND_TRIP, Keys.PLANNED_ROUND_TRIP)) {
      known.forEach(
          (name, percent) -> {
            Number value = result.figures().get(from + "_" + name + "_micros");
            if (value != null) {
              lines
                  .computeIfAbsent(
                      from.equals(Keys.ROUND_TRIP) ? "from sending" : "from the planned time",
                      unused -> new ArrayList<>())
                  .add(new double[] {percent, value.doubleValue()});
            }
          });
    }
    if (!lines.isEmpty()) {
      page.chart(
          new LineChart("Latency percentiles", "of the round trips take at most so long")
              .percentiles()
              .logPanel("Round trip", Unit.MICROS, series(lines)));
    }
  }

  /** Loss and jitter against the rate that was asked for. */
  private static void rates(HtmlReport page, ResultRecord result) {
    Function<Map<String, @Nullable Object>, @Nullable String> name =
        row -> {
          boolean rated =
              isDatagrams(row.get(Keys.PROTOCOL))
                  && Mode.STREAMING.text().equals(row.get(Keys.MODE))
                  && row.get(Keys.ASKED_RATE) instanceof Number rate
                  && rate.longValue() > 0;
          return !rated
              ? null
              : row.get(Keys.FROM) != null
                  ? row.get(Keys.FROM) + " > " + row.get(Keys.TO) + ", " + row.get(Keys.ADDRESS)
                  : RunSummary.bytes(row.get(Keys.MESSAGE_BYTES));
        };
    String rate = Keys.ASKED_RATE;
    LineChart chart = new LineChart("Loss and jitter against rate", "Mbit/s asked for");
    boolean any = false;
    for (String column : List.of(Keys.LOSS_RATIO, Keys.JITTER_MICROS)) {
      boolean loss = column.equals(Keys.LOSS_RATIO);
      Map<String, List<double[]>> lines = new LinkedHashMap<>();
      points(lines, result, name, rate, 1e-6, column);
      lines.replaceAll((series, points) -> means(points));
      lines.values().removeIf(points -> points.size() < 2);
      if (!lines.isEmpty()) {
        chart.panel(loss ? "Lost" : "Jitter", loss ? Unit.RATIO : Unit.MICROS, series(lines));
        any = true;
      }
    }
    if (any) {
      page.chart(chart);
    }
  }

  private static boolean isDatagrams(@Nullable Object protocol) {
    return Mechanisms.find(String.valueOf(protocol)).map(Mechanism::isDatagrams).orElse(false);
  }

  /** One point for each x, in order. */
  private static List<double[]> means(List<double[]> points) {
    Map<Double, double[]> sums = new TreeMap<>();
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
      String y) {
    for (Map<String, @Nullable Object> row : result.rows()) {
      String series = name.apply(row);
      if (series != null && row.get(x) instanceof Number at && row.get(y) instanceof Number value) {
        lines
            .computeIfAbsent(series, unused -> new ArrayList<>())
            .add(new double[] {at.doubleValue() * xFactor, value.doubleValue()});
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
