package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.report.RowTable;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.load.LoadOutcome;
import ebb.net.load.LoadRecord;
import ebb.net.matrix.Matrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Results as one HTML page: what was measured, what came out, charts, tables, all rows. */
public final class RunPage {
  private RunPage() {}

  /** A page with one part for each result, after those about all of them together. */
  public static HtmlReport of(List<ResultRecord> results) {
    return of(results, List.of());
  }

  /** The same, with why others are not on it, one line each. */
  public static HtmlReport of(List<ResultRecord> results, List<String> unreadable) {
    boolean one = results.size() == 1;
    HtmlReport page =
        new HtmlReport(
            "Ebb: " + (one ? RunSummary.title(results.get(0)) : results.size() + " measurements"));
    unreadable.forEach(why -> page.warning("Not on this page: " + why + "."));
    Matrix matrix = Matrix.of(results);
    if (one) {
      summary(page, results.get(0), matrix);
    } else {
      page.lead("Each is told below; what can be compared comes first.");
      compare(page, results);
    }
    if (!matrix.hosts().isEmpty()) {
      MatrixPage.add(page, matrix);
    }
    RunCharts.overlay(page, results);
    for (int i = 0; i < results.size(); i++) {
      ResultRecord result = results.get(i);
      if (!one) {
        page.heading(i + 1 + ". " + RunSummary.title(result));
        summary(page, result, matrix);
      }
      RunCharts.add(page, result);
      PresetPage.add(page, result);
      details(page, result);
    }
    return page;
  }

  /** The page of a run that goes on. */
  public static HtmlReport running(ResultRecord soFar) {
    HtmlReport page = begun(soFar, soFar.durationMicros());
    RunCharts.add(page, soFar);
    details(page, soFar);
    return page;
  }

  /** The same of a load, with its probe until now. */
  public static HtmlReport running(LoadOutcome load, long micros) {
    ResultRecord.Builder result = ResultRecord.of("net load");
    LoadRecord.add(load, result);
    ResultRecord soFar = result.build(false, 0);
    HtmlReport page = begun(soFar, micros);
    LoadCharts.probe(page, load);
    RunCharts.add(page, soFar);
    details(page, soFar);
    return page;
  }

  private static HtmlReport begun(ResultRecord soFar, long micros) {
    HtmlReport page = new HtmlReport("Ebb: " + RunSummary.title(soFar));
    return page.lead("It has run for " + Human.clock(micros / 1_000_000) + " and goes on.");
  }

  private static void summary(HtmlReport page, ResultRecord result, Matrix matrix) {
    page.lead(RunSummary.setUp(result));
    if (!result.complete()) {
      page.warning("This run is incomplete, exit code " + result.exitCode() + ".");
    }
    String answer = RunSummary.answer(result, matrix);
    if (!answer.isEmpty()) {
      page.answer(answer);
    }
    List<Figure> figures = new ArrayList<>();
    if (result.command().equals(YieldCharts.COMMAND)) {
      figures.addAll(YieldCharts.figures(result));
    }
    result
        .figures()
        .forEach(
            (name, value) -> {
              if (value != null && RunSummary.matters(result, name)) {
                figures.add(
                    new Figure(
                        RowTable.text(name, value), RunSummary.label(result, name), Tone.PLAIN));
              }
            });
    figures.addAll(LoadCharts.figures(result));
    if (!figures.isEmpty()) {
      page.figures(figures);
    }
    result.warnings().forEach(page::warning);
  }

  /**
   * Intervals and echoes are in the charts, runs of a sweep or a matrix in its tables, so these
   * rows are folded away; others have a table.
   */
  private static void details(HtmlReport page, ResultRecord result) {
    List<Map<String, @Nullable Object>> rows = result.rows();
    String name = result.command().replace(' ', '-');
    boolean told =
        result.command().equals(PresetPage.COMMAND)
            || result.command().equals(Matrix.COMMAND)
            || rows.stream()
                .anyMatch(row -> row.get(Keys.TO_MICROS) != null || row.containsKey("seq"))
            || result.command().equals(YieldCharts.COMMAND);
    if (told) {
      page.rawRows(name, rows);
    } else {
      RowTable.add(page, name, rows);
    }
    page.facts("All figures", RunSummary.figures(result));
    page.facts("Where and how", RunSummary.facts(result));
  }

  private static void compare(HtmlReport page, List<ResultRecord> results) {
    Table table =
        new Table()
            .leavingOutUnknown()
            .text("Run")
            .number("Received up", Unit.BITS_PER_SECOND)
            .number("Received down", Unit.BITS_PER_SECOND)
            .number("Lost", Unit.RATIO)
            .number("Jitter", Unit.MICROS)
            .number("Round trip, median", Unit.MICROS)
            .number("99%", Unit.MICROS);
    for (int i = 0; i < results.size(); i++) {
      ResultRecord run = results.get(i);
      Map<String, @Nullable Number> figures = run.figures();
      table.row(
          i + 1 + ". " + RunSummary.title(run),
          figures.get("up_" + Keys.RECEIVED_RATE),
          figures.get("down_" + Keys.RECEIVED_RATE),
          first(figures, "up_" + Keys.LOSS_RATIO, "down_" + Keys.LOSS_RATIO),
          first(figures, "up_" + Keys.JITTER_MICROS, "down_" + Keys.JITTER_MICROS),
          figures.get(Keys.ROUND_TRIP_P50),
          figures.get(Keys.ROUND_TRIP_P99));
    }
    page.table(table);
  }

  private static @Nullable Number first(
      Map<String, @Nullable Number> figures, String one, String other) {
    Number value = figures.get(one);
    return value == null ? figures.get(other) : value;
  }
}
