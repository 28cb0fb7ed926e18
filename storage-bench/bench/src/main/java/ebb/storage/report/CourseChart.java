package ebb.storage.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What cases did over the time of a run, a line for each: its first repetition, from the first
 * request on.
 */
final class CourseChart {
  /** More lines than these nobody can tell apart. */
  private static final int MOST_LINES = 8;

  private static final double MICROS = 1e6;

  /** What a panel shows. */
  private enum Shown {
    BANDWIDTH("Bandwidth", Unit.BYTES_PER_SECOND, "bytes_per_second"),
    OPERATIONS("Operations that ended", Unit.PER_SECOND, "operations_per_second"),
    LONGEST("Longest of them", Unit.MICROS, "latency_max_micros");

    final String title;
    final Unit unit;
    final String column;

    Shown(String title, Unit unit, String column) {
      this.title = title;
      this.unit = unit;
      this.column = column;
    }
  }

  private CourseChart() {}

  /** Adds it to a page, its heading begun by {@code before}; nothing without courses. */
  static void add(HtmlReport page, String before, List<ResultRecord> records) {
    Map<String, List<Map<String, @Nullable Object>>> lines = new LinkedHashMap<>();
    for (ResultRecord record : records) {
      Map<String, List<Map<String, @Nullable Object>>> own = new LinkedHashMap<>();
      for (Map<String, @Nullable Object> row : record.rows()) {
        if ("course".equals(row.get("scope")) && Long.valueOf(1).equals(row.get("repetition"))) {
          own.computeIfAbsent(name(row), none -> new ArrayList<>()).add(row);
        }
      }
      own.forEach(lines::putIfAbsent);
    }
    // One window says nothing of a course.
    lines.values().removeIf(windows -> windows.size() < 2);
    if (lines.isEmpty()) {
      return;
    }
    page.heading(before + "Over the time of a run");
    LineChart chart =
        new LineChart("The first repetition of each case, warm-up included", "time, s");
    for (Shown shown : Shown.values()) {
      Series[] drawn =
          lines.entrySet().stream()
              .limit(MOST_LINES)
              .filter(one -> isAny(one.getValue(), shown))
              .map(one -> series(one.getKey(), one.getValue(), shown))
              .toArray(Series[]::new);
      if (drawn.length > 0) {
        chart.panel(shown.title, shown.unit, drawn);
      }
    }
    page.chart(chart);
    warmUps(records).forEach(page::paragraph);
    if (lines.size() > MOST_LINES) {
      page.paragraph(
          "The first " + MOST_LINES + " of " + lines.size() + "; the results have all of them.");
    }
  }

  /** Where the end of the warm-up was looked for, what was found. */
  private static List<String> warmUps(List<ResultRecord> records) {
    Map<String, String> found = new LinkedHashMap<>();
    for (ResultRecord record : records) {
      for (Map<String, @Nullable Object> row : record.rows()) {
        if ("case".equals(row.get("scope"))
            && Long.valueOf(1).equals(row.get("repetition"))
            && row.get("warm_up_micros") instanceof Number micros
            && row.get("warm_up") instanceof String why
            && !why.equals("fixed")) {
          found.putIfAbsent(
              name(row),
              name(row)
                  + ": "
                  + Human.micros(micros.longValue())
                  + (why.equals("steady") ? "" : ", no steady state until then"));
        }
      }
    }
    return found.isEmpty()
        ? List.of()
        : List.of(
            "Discarded as warm-up, until rates were steady: "
                + String.join("; ", found.values())
                + ".");
  }

  private static String name(Map<String, @Nullable Object> row) {
    boolean apart = row.get("interval_micros") instanceof Long interval && interval > 0;
    return String.join(
        ", ",
        Stream.of(
                Samples.named(row) + (apart ? ", one after the other" : ""),
                row.get("region") instanceof String region ? region : "",
                row.get("period") instanceof String period ? period : "")
            .filter(text -> !text.isEmpty())
            .toList());
  }

  private static double number(Map<String, @Nullable Object> row, String column) {
    return row.get(column) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static Series series(
      String name, List<Map<String, @Nullable Object>> windows, Shown shown) {
    double[] x = new double[windows.size()];
    double[] y = new double[windows.size()];
    for (int i = 0; i < x.length; i++) {
      Map<String, @Nullable Object> window = windows.get(i);
      x[i] = (number(window, "from_micros") + number(window, "to_micros")) / 2 / MICROS;
      y[i] = number(window, shown.column);
    }
    return new Series(name, x, y);
  }

  private static boolean isAny(List<Map<String, @Nullable Object>> windows, Shown shown) {
    return windows.stream().anyMatch(window -> number(window, shown.column) > 0);
  }
}
