package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.report.LineChart;
import ebb.core.report.RowTable;
import ebb.core.report.Series;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a page shows of a result of {@code ebb net yield}, by its figures and rows. */
final class YieldCharts {
  static final String COMMAND = "net yield";

  private static final String AT = "at_micros";
  private static final String PHASE = "phase";

  private YieldCharts() {}

  /** How the flow that is to yield is called. */
  private static String yielder(ResultRecord result) {
    return "tcp_receiver".equals(result.facts().get("yielder")) ? "background" : "LEDBAT";
  }

  /** One sentence. */
  static String answer(ResultRecord result) {
    String verdict =
        switch (result.facts().getOrDefault("verdict", "")) {
          case "holds" -> "It yields";
          case "failed" -> "It does not keep all limits";
          default -> "Incomplete";
        };
    return "%s: %s had %s alone; TCP had %s alone and %s beside it."
        .formatted(
            verdict,
            yielder(result),
            rate(result, "alone_ledbat"),
            rate(result, "alone_tcp"),
            rate(result, "contended_tcp"));
  }

  private static String rate(ResultRecord result, String whose) {
    Number rate = result.figures().get(whose + "_rate_bits_per_second");
    return rate == null ? "no known rate" : Human.bitRate(rate.doubleValue());
  }

  /** Each bound, and whether it was kept. */
  static List<Figure> figures(ResultRecord result) {
    String it = yielder(result);
    List<Figure> figures = new ArrayList<>();
    bound(figures, result, "contended_share_ratio", "share_ratio", it + "'s share while both run");
    bound(figures, result, "tcp_loss_ratio", "tcp_loss_ratio", "what TCP lost");
    bound(figures, result, "recovery_micros", "recovery_micros", it + " at 90% again after");
    bound(
        figures,
        result,
        "alone_queue_median_micros",
        "queue_micros",
        "median queue of " + it + " alone");
    return figures;
  }

  private static void bound(
      List<Figure> figures, ResultRecord result, String name, String bound, String words) {
    Number value = result.figures().get(name);
    Number most = result.figures().get("max_" + bound);
    boolean kept = value != null && most != null && value.doubleValue() <= most.doubleValue();
    figures.add(
        new Figure(
            value == null ? "none" : RowTable.text(name, value),
            words + (most == null ? "" : ", at most " + RowTable.text(name, most)),
            most == null ? Tone.PLAIN : kept ? Tone.GOOD : Tone.BAD));
  }

  /** The run over time, and its phases. */
  static void add(HtmlReport page, ResultRecord result) {
    String it = yielder(result);
    LineChart chart = new LineChart("The run over time", "seconds");
    panel(
        chart,
        result,
        "Arrived at the receiver",
        Unit.BITS_PER_SECOND,
        Map.of("ledbat_rate_bits_per_second", it, "tcp_rate_bits_per_second", "TCP"));
    panel(
        chart,
        result,
        "Window",
        Unit.BYTES,
        Map.of("ledbat_cwnd_bytes", it, "tcp_cwnd_bytes", "TCP"));
    panel(
        chart,
        result,
        "Round trip",
        Unit.MICROS,
        Map.of("ledbat_rtt_micros", it, "tcp_rtt_micros", "TCP"));
    panel(
        chart,
        result,
        "Queuing delay",
        Unit.MICROS,
        Map.of(
            "queuing_delay_micros",
            "above the run's base",
            "controller_queuing_delay_micros",
            "as the controller sees it",
            "target_micros",
            "TARGET"));
    if (!chart.isEmpty()) {
      shade(chart, result);
      page.chart(chart);
    }
    page.table(phases(result, it));
  }

  private static void panel(
      LineChart chart,
      ResultRecord result,
      String title,
      Unit unit,
      Map<String, String> namesByColumn) {
    List<Series> lines = new ArrayList<>();
    namesByColumn.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(column -> line(lines, result, column.getKey(), column.getValue()));
    if (!lines.isEmpty()) {
      chart.panel(title, unit, lines.toArray(new Series[0]));
    }
  }

  /** With a gap where its flow is not there. */
  private static void line(List<Series> lines, ResultRecord result, String column, String name) {
    List<Map<String, @Nullable Object>> rows =
        result.rows().stream().filter(row -> row.get(AT) instanceof Number).toList();
    double[] values = rows.stream().mapToDouble(row -> number(row.get(column))).toArray();
    if (Arrays.stream(values).anyMatch(Double::isFinite)) {
      double[] seconds = rows.stream().mapToDouble(row -> number(row.get(AT)) * 1e-6).toArray();
      lines.add(new Series(name, seconds, values));
    }
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number known ? known.doubleValue() : Double.NaN;
  }

  /** Where TCP was there. */
  private static void shade(LineChart chart, ResultRecord result) {
    Map<String, double[]> spans = new LinkedHashMap<>();
    for (Map<String, @Nullable Object> row : result.rows()) {
      if (row.get(AT) instanceof Number at && row.get(PHASE) instanceof String phase) {
        double seconds = at.doubleValue() * 1e-6;
        spans.computeIfAbsent(phase, none -> new double[] {seconds, seconds})[1] = seconds;
      }
    }
    spans.forEach(
        (phase, span) -> {
          boolean both = phase.equals("contended");
          if (both || phase.startsWith("tcp_")) {
            chart.range(span[0], span[1], both ? "both" : "TCP");
          }
        });
  }

  private static Table phases(ResultRecord result, String it) {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("tcp_alone", "TCP alone");
    names.put("alone", it + " alone");
    names.put("tcp_lead", "TCP, first");
    names.put("contended", "both");
    names.put("after", it + " after TCP");
    Table table =
        new Table()
            .text("Phase")
            .number("Time", Unit.MICROS)
            .number("Queue, median", Unit.MICROS)
            .number("Queue, 95%", Unit.MICROS)
            .number("Probe, median added", Unit.MICROS)
            .number("Probe, 95%", Unit.MICROS)
            .number(it + " packets resent", Unit.COUNT)
            .number("TCP segments resent", Unit.COUNT);
    names.forEach(
        (key, name) -> {
          Map<String, @Nullable Number> figures = result.figures();
          if (figures.get(key + "_duration_micros") != null) {
            table.row(
                name,
                figures.get(key + "_duration_micros"),
                figures.get(key + "_queue_median_micros"),
                figures.get(key + "_queue_p95_micros"),
                figures.get(key + "_probe_median_micros"),
                figures.get(key + "_probe_p95_micros"),
                figures.get(key + "_ledbat_retransmitted_packets"),
                figures.get(key + "_tcp_retransmitted_segments"));
          }
        });
    return table;
  }
}
