package ebb.storage.report;

import ebb.core.report.BoxPlot;
import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import ebb.storage.bench.AccountRows;
import ebb.storage.report.Samples.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page about many runs: what was measured where and when, box plots, and what was expected. */
public final class StorageReport {
  private final List<ResultRecord> records;
  private final Samples samples;
  private final List<Expected> expected;

  public StorageReport(List<ResultRecord> records, List<Expected> expected) {
    this.records = List.copyOf(records);
    this.samples = Samples.of(records);
    this.expected = List.copyOf(expected);
  }

  public boolean isEmpty() {
    return samples.keys().isEmpty();
  }

  /** The page. */
  public HtmlReport page() {
    HtmlReport page = new HtmlReport("Ebb: what storage did");
    page.lead(
        records.size()
            + (records.size() == 1 ? " run" : " runs")
            + "; each value is one repetition of a case. What several processes moved counts"
            + " over the time that at least one was under way; latency is the median of a"
            + " repetition.");
    if (!expected.isEmpty()) {
      page.answer(isCached() ? CACHED : reached());
    }
    addTo(page, "");
    return page;
  }

  /**
   * Adds all of it to a page that shows other things, too.
   *
   * @param about what headings begin with; empty for nothing
   */
  public void addTo(HtmlReport page, String about) {
    String before = about.isEmpty() ? "" : about + ": ";
    if (!expected.isEmpty()) {
      page.heading(before + "Measured beside expected");
      tables(page, this::besideExpected);
    }
    groups(page, before + "By period of the day", Samples.Key::period);
    groups(page, before + "By region", Samples.Key::region);
    page.heading(before + "All cases");
    tables(page, this::cases);
    LatencyChart.add(page, before, records);
    CourseChart.add(page, before, records);
    page.heading(before + "Configurations");
    page.table(configurations());
    ClientTable.add(page, before, records);
    account(page, before);
    warnings(page, before);
    page.rawRows("storage", record().build(true, 0).rows());
  }

  private static final String CACHED =
      "No share of what was expected is told: runs on file: go through this machine's page cache,"
          + " and are no figures of a disk or a service.";

  /** With fewer values a box says nothing that they do not. */
  private static final int LEAST_FOR_A_BOX = 5;

  private Table configurations() {
    Map<String, Set<String>> periods = new TreeMap<>();
    Map<String, Integer> runs = new TreeMap<>();
    Map<String, List<String>> shown = new LinkedHashMap<>();
    for (ResultRecord record : records) {
      Map<String, String> facts = record.facts();
      List<String> cells =
          List.of(
              facts.getOrDefault("region", ""),
              facts.getOrDefault("store", ""),
              facts.getOrDefault("location", ""));
      String key = String.join("\n", cells);
      shown.put(key, cells);
      periods
          .computeIfAbsent(key, none -> new LinkedHashSet<>())
          .add(facts.getOrDefault("period", ""));
      runs.merge(key, 1, Integer::sum);
    }
    Table table =
        new Table()
            .text("Region")
            .text("Store")
            .text("Location")
            .text("Periods")
            .number("Runs", Unit.COUNT);
    shown.forEach(
        (key, cells) ->
            table.row(
                cells.get(0),
                cells.get(1),
                cells.get(2),
                String.join(", ", periods.get(key)),
                runs.get(key)));
    return table;
  }

  /** A table for each quantity that there is something of, so that a column has one unit. */
  private void tables(HtmlReport page, Function<Quantity, Table> of) {
    for (Quantity quantity : Quantity.values()) {
      Table table = of.apply(quantity);
      if (!table.isEmpty()) {
        page.table(table);
      }
    }
  }

  private String reached() {
    int met = 0;
    int all = 0;
    for (Samples.Key key : samples.keys()) {
      for (Expected one : expected) {
        if (one.isAbout(key)) {
          double median = Summary.of(samples.values(key)).median();
          all++;
          met += (key.lowerIsBetter() ? median <= one.value() : median >= one.value()) ? 1 : 0;
        }
      }
    }
    return met + " of " + all + " cases did as well as expected.";
  }

  /** Whether a run's files went through this machine's memory. */
  private boolean isCached() {
    return records.stream()
        .anyMatch(record -> record.facts().getOrDefault("target", "").startsWith("file:"));
  }

  private Table besideExpected(Quantity quantity) {
    boolean cached = isCached();
    Table table =
        new Table()
            .text(name(quantity))
            .number("Expected", unit(quantity))
            .number("Measured, median", unit(quantity));
    if (!cached) {
      table.number("Share", Unit.RATIO);
    }
    table.text("Source of the expectation");
    for (Samples.Key key : samples.keys()) {
      for (Expected one : expected) {
        if (key.of() == quantity && one.isAbout(key)) {
          double median = Summary.of(samples.values(key)).median();
          if (cached) {
            table.row(key.words(), one.value(), median, one.source());
          } else {
            table.row(key.words(), one.value(), median, median / one.value(), one.source());
          }
        }
      }
    }
    return table;
  }

  /** A plot for each case, if what it is grouped by has more than one value or a name at all. */
  private void groups(HtmlReport page, String heading, Function<Samples.Key, String> by) {
    Map<String, Map<String, List<Double>>> plots = new LinkedHashMap<>();
    Map<String, Quantity> quantities = new LinkedHashMap<>();
    for (Samples.Key key : samples.keys()) {
      String group = by.apply(key);
      if (group.isEmpty()) {
        continue;
      }
      String plot =
          new Samples.Key(key.name(), key.processes(), key.intervalMicros(), "", "", key.of())
              .words();
      quantities.put(plot, key.of());
      List<Double> values =
          plots
              .computeIfAbsent(plot, none -> new LinkedHashMap<>())
              .computeIfAbsent(group, none -> new ArrayList<>());
      for (double value : samples.values(key)) {
        values.add(value);
      }
    }
    if (plots.isEmpty()) {
      return;
    }
    page.heading(heading);
    Map<String, Map<String, List<Double>>> few = new LinkedHashMap<>();
    plots.forEach(
        (plot, boxes) -> {
          Quantity of = quantities.getOrDefault(plot, Quantity.BANDWIDTH);
          if (boxes.values().stream().anyMatch(values -> values.size() < LEAST_FOR_A_BOX)) {
            few.put(plot, boxes);
            return;
          }
          BoxPlot drawn = new BoxPlot(plot, name(of), unit(of));
          boxes.forEach(
              (group, values) ->
                  drawn.box(
                      group + " (" + values.size() + ")",
                      values.stream().mapToDouble(Double::doubleValue).toArray()));
          page.chart(drawn);
        });
    if (!few.isEmpty()) {
      page.paragraph("Fewer than " + LEAST_FOR_A_BOX + " values, so no boxes: medians.");
      for (Quantity of : Quantity.values()) {
        medians(page, of, few, quantities);
      }
    }
  }

  /** Quartiles of four values are the values: a row for each case, a column for each group. */
  private static void medians(
      HtmlReport page,
      Quantity of,
      Map<String, Map<String, List<Double>>> plots,
      Map<String, Quantity> quantities) {
    Set<String> groups = new LinkedHashSet<>();
    plots.forEach(
        (plot, boxes) -> {
          if (quantities.get(plot) == of) {
            groups.addAll(boxes.keySet());
          }
        });
    Table table = new Table().text(name(of));
    groups.forEach(group -> table.number(group, unit(of)));
    plots.forEach(
        (plot, boxes) -> {
          if (quantities.get(plot) == of) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(plot));
            for (String group : groups) {
              List<Double> values = boxes.get(group);
              cells.add(
                  values == null
                      ? null
                      : Summary.of(values.stream().mapToDouble(v -> v).toArray()).median());
            }
            table.row(cells.toArray());
          }
        });
    if (!table.isEmpty()) {
      page.table(table);
    }
  }

  private static Unit unit(Quantity of) {
    return switch (of) {
      case BANDWIDTH -> Unit.BYTES_PER_SECOND;
      case IOPS -> Unit.PER_SECOND;
      case LATENCY -> Unit.MICROS;
    };
  }

  private static String axis(Quantity of) {
    return switch (of) {
      case BANDWIDTH -> "bytes per second";
      case IOPS -> "operations per second";
      case LATENCY -> "latency, us";
    };
  }

  private static String name(Quantity of) {
    return switch (of) {
      case BANDWIDTH -> "Bandwidth";
      case IOPS -> "Operations";
      case LATENCY -> "Latency";
    };
  }

  private Table cases(Quantity quantity) {
    Unit unit = unit(quantity);
    Table table =
        new Table()
            .text(name(quantity))
            .number("n", Unit.COUNT)
            .number("min", unit)
            .number("25%", unit)
            .number("median", unit)
            .number("75%", unit)
            .number("max", unit)
            .number("mean", unit);
    for (Samples.Key key : samples.keys()) {
      if (key.of() == quantity) {
        Summary of = Summary.of(samples.values(key));
        table.row(
            key.words(),
            of.count(),
            of.min(),
            of.percentile(25),
            of.median(),
            of.percentile(75),
            of.max(),
            of.mean());
      }
    }
    return table;
  }

  /** Everything that was asked for, measured or not. */
  private void account(HtmlReport page, String before) {
    Map<String, long[]> sums = new TreeMap<>();
    Map<String, Set<String>> causes = new TreeMap<>();
    String[] figures = {"operations", "requests", "retries", "failures", "cancelled", "bytes"};
    for (ResultRecord record : records) {
      for (Map<String, @Nullable Object> row : record.rows()) {
        if (AccountRows.SCOPE.equals(row.get("scope"))) {
          String operation = String.valueOf(row.get("case"));
          long[] sum = sums.computeIfAbsent(operation, none -> new long[figures.length]);
          for (int i = 0; i < figures.length; i++) {
            sum[i] += row.get(figures[i]) instanceof Number number ? number.longValue() : 0;
          }
          Set<String> why = causes.computeIfAbsent(operation, none -> new LinkedHashSet<>());
          if (row.get("causes") instanceof String text && !text.isEmpty()) {
            why.add(text);
          }
        }
      }
    }
    if (sums.isEmpty()) {
      return;
    }
    Table table = new Table().text("Operation");
    for (String figure : figures) {
      table.number(figure, figure.equals("bytes") ? Unit.BYTES : Unit.COUNT);
    }
    table.text("tried again after");
    sums.forEach(
        (operation, sum) -> {
          List<Object> cells = new ArrayList<>(List.of(operation));
          Arrays.stream(sum).forEach(cells::add);
          cells.add(String.join("; ", causes.getOrDefault(operation, Set.of())));
          table.row(cells.toArray());
        });
    page.heading(before + "All requests, measured or not");
    page.table(table);
  }

  private void warnings(HtmlReport page, String before) {
    Map<String, Integer> said = new LinkedHashMap<>();
    int incomplete = 0;
    for (ResultRecord record : records) {
      record.warnings().forEach(warning -> said.merge(warning, 1, Integer::sum));
      incomplete += record.complete() ? 0 : 1;
    }
    if (incomplete > 0) {
      said.put("runs that are incomplete", incomplete);
    }
    if (!said.isEmpty()) {
      page.heading(before + "Before you believe it");
      said.forEach((warning, count) -> page.warning(warning + " (" + count + ")"));
    }
  }

  /** The figures as a record, a row for each case, for JSON and CSV. */
  public ResultRecord.Builder record() {
    ResultRecord.Builder result = ResultRecord.of("storage report");
    result.figure("runs", records.size());
    for (Samples.Key key : samples.keys()) {
      Summary of = Summary.of(samples.values(key));
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("case", key.name());
      row.put("processes", key.processes());
      row.put("interval_micros", key.intervalMicros());
      row.put("region", key.region());
      row.put("period", key.period());
      row.put("quantity", key.of().name().toLowerCase(Locale.ROOT));
      row.put("unit", axis(key.of()));
      row.put("count", (long) of.count());
      row.put("min", of.min());
      row.put("p25", of.percentile(25));
      row.put("median", of.median());
      row.put("p75", of.percentile(75));
      row.put("max", of.max());
      row.put("mean", of.mean());
      expected.stream()
          .filter(one -> one.isAbout(key))
          .findFirst()
          .ifPresent(one -> row.put("expected", one.value()));
      result.row(row);
    }
    return result;
  }
}
