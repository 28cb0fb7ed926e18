package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.HtmlReport.Figure;
import ebb.core.report.HtmlReport.Tone;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.matrix.Matrix;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results as one HTML page: figures, charts of the intervals, tables. It computes no figures. */
public final class RunPage {
  private static final int MAX_ROWS = 500;

  private RunPage() {}

  /** A page with one part for each result, after one for all matrices together. */
  public static HtmlReport of(List<ResultRecord> results) {
    HtmlReport page = new HtmlReport("Ebb: measurements of the network");
    Matrix matrix = Matrix.of(results);
    if (!matrix.hosts().isEmpty()) {
      MatrixPage.add(page, matrix);
    }
    for (ResultRecord result : results) {
      part(page, result);
    }
    return page;
  }

  private static void part(HtmlReport page, ResultRecord result) {
    String protocol = result.facts().getOrDefault(Keys.PROTOCOL, "").toUpperCase(Locale.ROOT);
    page.heading(
        result.command()
            + " "
            + protocol
            + " "
            + result.facts().getOrDefault(Keys.MODE, "")
            + " to "
            + result.facts().getOrDefault(Keys.SERVER, "?"));
    page.lead(
        result.started()
            + (result.complete() ? "" : ". This run is incomplete, exit code " + result.exitCode())
            + ".");
    List<Figure> figures = new ArrayList<>();
    result
        .figures()
        .forEach(
            (name, value) -> {
              boolean worth =
                  name.endsWith(Keys.RECEIVED_RATE)
                      || name.endsWith(Keys.LOSS_RATIO)
                      || name.endsWith(Keys.JITTER_MICROS)
                      || name.equals(Keys.ROUND_TRIP_P50)
                      || name.equals(Keys.ROUND_TRIP_P99);
              if (worth && value != null) {
                figures.add(new Figure(text(name, value), words(name), Tone.PLAIN));
              }
            });
    page.figures(figures);
    result.warnings().forEach(warning -> page.paragraph("Warning: " + warning));
    RunCharts.add(page, result);
    if (!result.rows().isEmpty()) {
      table(page, result.rows());
    }
  }

  private static void table(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> columns.addAll(row.keySet()));
    List<List<String>> cells = new ArrayList<>();
    for (Map<String, @Nullable Object> row : rows.subList(0, Math.min(MAX_ROWS, rows.size()))) {
      List<String> line = new ArrayList<>();
      for (String column : columns) {
        Object value = row.get(column);
        line.add(value == null ? "-" : value instanceof Number n ? text(column, n) : "" + value);
      }
      cells.add(line);
    }
    page.table(columns.stream().map(RunPage::words).toList(), cells);
    if (rows.size() > MAX_ROWS) {
      page.paragraph("The first " + MAX_ROWS + " of " + rows.size() + " rows.");
    }
  }

  private static String words(String name) {
    return name.replaceAll("_(bits_per_second|micros|ratio)$", "").replace('_', ' ');
  }

  private static String text(String name, Number value) {
    if (name.endsWith("_bits_per_second")) {
      return Human.bitRate(value.doubleValue());
    }
    if (name.endsWith("_micros")) {
      return Human.micros(Math.round(value.doubleValue()));
    }
    if (name.endsWith("_ratio") || name.startsWith("limited_by_")) {
      return String.format(Locale.ROOT, "%.3g%%", 100 * value.doubleValue());
    }
    return value.toString();
  }
}
