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
import ebb.net.echo.EchoLog;
import ebb.net.load.LoadCell;
import ebb.net.load.LoadOutcome;
import ebb.net.load.LoadRecord;
import ebb.net.load.LoadRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The charts of a result of {@code ebb net load}: how long the probe took beside each load. */
final class LoadCharts {
  /** Whose results these are. */
  static final String COMMAND = "net load";

  private static final String ADDED = "added_micros";

  private LoadCharts() {}

  /** What each load adds at most, whichever way it goes; nothing of other results. */
  static List<Figure> figures(ResultRecord result) {
    Map<String, Figure> worst = new LinkedHashMap<>();
    Map<String, Double> most = new HashMap<>();
    for (Map<String, @Nullable Object> row : result.rows()) {
      if (result.command().equals(COMMAND)
          && row.get(ADDED) instanceof Number added
          && Double.isFinite(added.doubleValue())) {
        String load = String.valueOf(row.get("load"));
        if (added.doubleValue() >= most.getOrDefault(load, 0.0)) {
          most.put(load, added.doubleValue());
          String words = "added by " + load + ", " + row.get("way") + "; grade " + row.get("grade");
          worst.put(load, new Figure(RowTable.text(ADDED, added), words, Tone.PLAIN));
        }
      }
    }
    return List.copyOf(worst.values());
  }

  /** One panel for each way, with a curve for each load and the idle path. */
  static void add(HtmlReport page, ResultRecord result) {
    Set<String> ways = new LinkedHashSet<>();
    List<Map<String, @Nullable Object>> loads =
        result.rows().stream().filter(row -> row.get(LoadRecord.MARK) == null).toList();
    loads.forEach(row -> ways.add(String.valueOf(row.get("way"))));
    ways.remove("");
    LineChart chart =
        new LineChart("Round trips beside each load", "round trip, milliseconds")
            .logarithmicWhereWide();
    boolean any = false;
    for (String way : ways) {
      List<Series> curves = new ArrayList<>();
      for (Map<String, @Nullable Object> row : loads) {
        boolean idle = LoadCell.IDLE.equals(row.get("load"));
        if (idle || way.equals(row.get("way"))) {
          Series curve = curve(row);
          if (curve != null) {
            curves.add(curve);
          }
        }
      }
      if (!curves.isEmpty()) {
        chart.panel(
            "Load " + way + ": answers that took at most so long",
            Unit.RATIO,
            curves.toArray(new Series[0]));
        any = true;
      }
    }
    if (any) {
      page.chart(chart);
    }
    page.table(table(loads));
    MarksSection.add(page, result);
  }

  /** A row for each load and way, the idle path first. */
  private static Table table(List<Map<String, @Nullable Object>> loads) {
    Table table =
        new Table()
            .leavingOutUnknown()
            .text("Load")
            .text("Way")
            .number("Down", Unit.BITS_PER_SECOND)
            .number("Up", Unit.BITS_PER_SECOND)
            .number("Round trip, median", Unit.MICROS)
            .number("95%", Unit.MICROS)
            .number("Added", Unit.MICROS)
            .number("Probe lost", Unit.RATIO)
            .number("Round trips a minute", Unit.COUNT)
            .text("Grade");
    for (Map<String, @Nullable Object> row : loads) {
      Object grade = row.get("grade");
      table.row(
          row.get("load"),
          row.get("way"),
          row.get("down_received_rate_bits_per_second"),
          row.get("up_received_rate_bits_per_second"),
          row.get("round_trip_p50_micros"),
          row.get("round_trip_p95_micros"),
          row.get(ADDED),
          row.get("loss_ratio"),
          row.get("round_trips_per_minute"),
          grade == null ? "" : grade);
    }
    return table;
  }

  /** Every echo that was answered, over time, and where the loads were that are over. */
  static void probe(HtmlReport page, LoadOutcome load) {
    EchoLog log = load.probe();
    int kept = log.kept();
    if (kept == 0) {
      return;
    }
    double[] seconds = new double[kept];
    double[] micros = new double[kept];
    long zero = log.sentMicros(0);
    long settled = LoadRun.PROBE_SETTLE_MICROS;
    for (int i = 0; i < kept; i++) {
      seconds[i] = (log.sentMicros(i) - zero) * 1e-6;
      long trip = log.roundTripMicros(i);
      micros[i] = trip == EchoLog.UNANSWERED ? Double.NaN : trip;
    }
    LineChart chart =
        new LineChart("The probe over time", "seconds")
            .panel("Round trip", Unit.MICROS, new Series("probe", seconds, micros));
    for (LoadCell cell : load.cells()) {
      if (!cell.load().equals(LoadCell.IDLE)) {
        chart.range(
            (cell.fromMicros() + settled) * 1e-6,
            (cell.toMicros() + settled) * 1e-6,
            cell.load() + " " + cell.way());
      }
    }
    page.chart(chart);
  }

  /** As far as the 95th percentile: one long round trip would make all curves a stroke. */
  private static @Nullable Series curve(Map<String, @Nullable Object> row) {
    double[] micros = new double[LoadRecord.DRAWN];
    double[] parts = new double[micros.length];
    for (int i = 0; i < micros.length; i++) {
      int wanted = LoadRecord.PERCENTILES.get(i);
      if (!(row.get("round_trip_p" + wanted + "_micros") instanceof Number value)) {
        return null;
      }
      micros[i] = Math.max(i == 0 ? 0 : micros[i - 1], value.doubleValue() / 1e3);
      parts[i] = wanted / 100.0;
    }
    return new Series(String.valueOf(row.get("load")), micros, parts);
  }
}
