package ebb.testkit.command;

import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.SendLimit;
import ebb.testkit.file.Check;
import ebb.testkit.file.ScenarioOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Outcomes of scenarios as lines of at most 100 columns, as records and as a page. */
final class SimView {
  private static final String FORMAT = "%-18s %-23s %-13s %10s  %-21s %s";

  /** A limit that held for less of the time has no line in the plot. */
  private static final double SMALLEST_SHARE_DRAWN = 0.02;

  private SimView() {}

  static String header() {
    return String.format(
        Locale.ROOT, FORMAT, "scenario", "figure", "interval", "value", "bounds", "verdict");
  }

  private record Interval(long fromMicros, long toMicros) {
    String text() {
      return String.format(Locale.ROOT, "%.0f-%.0f s", fromMicros / 1e6, toMicros / 1e6);
    }
  }

  /** The intervals that checks look at, the whole run when there are no checks. */
  private static List<Interval> intervals(ScenarioOutcome outcome) {
    LinkedHashSet<Interval> intervals = new LinkedHashSet<>();
    for (ScenarioOutcome.Result result : outcome.results()) {
      intervals.add(new Interval(result.check().fromMicros(), result.check().toMicros()));
    }
    if (intervals.isEmpty()) {
      intervals.add(new Interval(0, outcome.file().endMicros()));
    }
    return List.copyOf(intervals);
  }

  /** For each interval and each flow that is no model: what kept it from sending more. */
  static List<String> limits(ScenarioOutcome outcome) {
    List<String> rows = new ArrayList<>();
    for (Interval interval : intervals(outcome)) {
      for (ScenarioOutcome.Line line : outcome.lines()) {
        LimitTimes times = outcome.limits(line, interval.fromMicros(), interval.toMicros());
        if (times.totalMicros() > 0) {
          rows.add(
              cut(
                  String.format(
                      Locale.ROOT,
                      "%-18s %s limited, %s: %s",
                      "",
                      line.flow(),
                      interval.text(),
                      times.text()),
                  100));
        }
      }
    }
    return rows;
  }

  /** The same as records: a row for each limit that held at all. */
  static List<Map<String, @Nullable Object>> limitRecords(ScenarioOutcome outcome) {
    List<Map<String, @Nullable Object>> records = new ArrayList<>();
    for (Interval interval : intervals(outcome)) {
      for (ScenarioOutcome.Line line : outcome.lines()) {
        LimitTimes times = outcome.limits(line, interval.fromMicros(), interval.toMicros());
        for (SendLimit limit : times.byLength()) {
          Map<String, @Nullable Object> row = new LinkedHashMap<>();
          row.put("scenario", outcome.file().name());
          row.put("seed", outcome.file().seed());
          row.put("figure", "limited_by_" + limit.name().toLowerCase(Locale.ROOT));
          row.put("flow", line.flow());
          row.put("from_micros", interval.fromMicros());
          row.put("to_micros", interval.toMicros());
          row.put("unit", "ratio");
          row.put("value", times.share(limit));
          records.add(row);
        }
      }
    }
    return records;
  }

  /** A line for each check. */
  static List<String> rows(ScenarioOutcome outcome) {
    List<String> rows = new ArrayList<>();
    for (ScenarioOutcome.Result result : outcome.results()) {
      rows.add(
          String.format(
              Locale.ROOT,
              FORMAT,
              cut(outcome.file().name(), 18),
              cut(figure(result.check()), 23),
              interval(result.check()),
              value(result.check(), result.value()),
              bounds(result.check()),
              result.holds() ? "ok" : "FAILED"));
    }
    if (rows.isEmpty()) {
      rows.add(cut(outcome.file().name(), 18) + " has no checks");
    }
    return rows;
  }

  static List<Map<String, @Nullable Object>> records(ScenarioOutcome outcome) {
    List<Map<String, @Nullable Object>> records = new ArrayList<>();
    for (ScenarioOutcome.Result result : outcome.results()) {
      Check check = result.check();
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("scenario", outcome.file().name());
      row.put("seed", outcome.file().seed());
      row.put("runs", (long) outcome.file().runs());
      row.put("figure", check.figure().label());
      row.put("flow", check.flow());
      row.put("from_micros", check.fromMicros());
      row.put("to_micros", check.toMicros());
      row.put("unit", unit(check));
      row.put("value", finite(result.value()));
      for (int run = 0; run < result.values().size(); run++) {
        row.put("value_of_run_" + (run + 1), finite(result.values().get(run)));
      }
      row.put("at_least", finite(check.atLeast()));
      row.put("at_most", finite(check.atMost()));
      row.put("holds", result.holds());
      records.add(row);
    }
    return records;
  }

  private static String unit(Check check) {
    return switch (check.figure().unit()) {
      case TIME -> "micros";
      case RATE -> "bits_per_second";
      case RATIO -> "ratio";
    };
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) && value != Double.MAX_VALUE ? value : null;
  }

  static HtmlReport html(List<ScenarioOutcome> outcomes) {
    long failed = outcomes.stream().filter(o -> !o.holds()).count();
    HtmlReport report =
        new HtmlReport("Ebb: simulated scenarios")
            .lead(
                outcomes.size()
                    + " scenarios, "
                    + (outcomes.size() - failed)
                    + " hold. The protocol engine is the real one; links and TCP are models.");
    report.answer(
        failed == 0
            ? "Every scenario keeps its bounds."
            : "Out of bounds: "
                + outcomes.stream()
                    .filter(o -> !o.holds())
                    .map(o -> o.file().name())
                    .collect(Collectors.joining(", "))
                + ".");
    for (ScenarioOutcome outcome : outcomes) {
      report.heading(outcome.file().name() + ": " + outcome.file().title());
      report.chart(chart(outcome));
      List<List<String>> rows = new ArrayList<>();
      for (ScenarioOutcome.Result result : outcome.results()) {
        rows.add(
            List.of(
                figure(result.check()),
                interval(result.check()),
                value(result.check(), result.value()),
                bounds(result.check()),
                result.holds() ? "ok" : "FAILED"));
      }
      report.table(List.of("figure", "interval", "value", "bounds", "verdict"), rows);
      report.paragraph("Seed " + outcome.file().seed() + ", trace " + outcome.traceDigest() + ".");
    }
    return report;
  }

  private static LineChart chart(ScenarioOutcome outcome) {
    double[] seconds = array(outcome.seconds());
    List<Series> rates = new ArrayList<>();
    List<Series> windows = new ArrayList<>();
    TreeSet<Long> targets = new TreeSet<>();
    for (ScenarioOutcome.Line line : outcome.lines()) {
      rates.add(new Series(line.flow(), seconds, array(line.megabits())));
      windows.add(new Series(line.flow(), seconds, array(line.cwndPackets())));
      if (line.targetMicros() > 0) {
        targets.add(line.targetMicros());
      }
    }
    LineChart chart =
        new LineChart("Throughput, cwnd and queuing delay over time", "seconds")
            .panel("Throughput, Mbit/s", rates.toArray(new Series[0]))
            .panel("cwnd, packets of 1,500 bytes", windows.toArray(new Series[0]))
            .panel(
                "Queuing delay at the bottleneck, ms",
                new Series("queuing delay", seconds, array(outcome.queueMillis())));
    for (long target : targets) {
      chart.reference(target / 1e3, "TARGET " + target / 1_000 + " ms");
    }
    for (ScenarioOutcome.Line line : outcome.lines()) {
      List<Series> limits = limitSeries(line, seconds);
      if (!limits.isEmpty()) {
        chart.panel("What limited " + line.flow() + ", % of time", limits.toArray(new Series[0]));
      }
    }
    return chart;
  }

  private static List<Series> limitSeries(ScenarioOutcome.Line line, double[] seconds) {
    LimitTimes whole = line.limits().stream().reduce(LimitTimes.NONE, LimitTimes::plus);
    List<Series> series = new ArrayList<>();
    for (SendLimit limit : whole.byLength()) {
      if (whole.share(limit) >= SMALLEST_SHARE_DRAWN) {
        double[] percent =
            line.limits().stream()
                .mapToDouble(t -> t.totalMicros() == 0 ? Double.NaN : 100 * t.share(limit))
                .toArray();
        series.add(new Series(limit.text(), seconds, percent));
      }
    }
    return series;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String figure(Check check) {
    return switch (check.figure()) {
      case UTILISATION -> "utilisation";
      case QUEUE ->
          check.percent() == 50
              ? "median queue"
              : String.format(Locale.ROOT, "%.0f%% queue", check.percent());
      case SHARE -> "share of " + check.flow();
      case JAIN -> "Jain's index";
      case RECOVERY -> "recovery of " + check.flow();
      case GOODPUT -> "goodput of " + check.flow();
      case RESENT -> "resent by " + check.flow();
      case LOSS -> "loss of " + check.flow();
      case KEPT -> check.flow() + " keeps";
      case SHARING -> String.format(Locale.ROOT, "until Jain's index %.2f", check.portion());
    };
  }

  private static String interval(Check check) {
    return new Interval(check.fromMicros(), check.toMicros()).text();
  }

  private static String bounds(Check check) {
    boolean below = check.atMost() != Double.MAX_VALUE;
    boolean above = check.atLeast() != Double.NEGATIVE_INFINITY;
    if (below && above) {
      return value(check, check.atLeast()) + " to " + value(check, check.atMost());
    }
    return above
        ? "at least " + value(check, check.atLeast())
        : "at most " + value(check, check.atMost());
  }

  private static String value(Check check, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "none";
    }
    return switch (check.figure().unit()) {
      case TIME -> String.format(Locale.ROOT, "%.1f ms", value / 1e3);
      case RATE -> String.format(Locale.ROOT, "%.2f M", value / 1e6);
      case RATIO -> String.format(Locale.ROOT, "%.3f", value);
    };
  }

  private static String cut(String text, int columns) {
    return text.length() <= columns ? text : text.substring(0, columns - 1) + "~";
  }
}
