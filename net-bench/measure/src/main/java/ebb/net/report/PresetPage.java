package ebb.net.report;

import ebb.core.report.BarChart;
import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.net.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables and charts that the reports have which the presets of {@code ebb net sweep} repeat,
 * made from the rows of a result.
 */
final class PresetPage {
  /** Whose results these are. */
  static final String COMMAND = "net sweep";

  /** The names of the presets, as results have them. */
  static final String AMOUNTS = "amounts";

  static final String MESSAGES = "messages";
  static final String UDP_RATES = "udp-rates";

  private static final int MAX_CLIENTS = 100;
  private static final String AMOUNT = "amount_bytes";
  private static final String CLIENTS = "clients";
  private static final String LATENCY = "round_trip_mean_micros";

  private PresetPage() {}

  /** Adds those of the result's preset; without one those of any sweep. */
  static void add(HtmlReport page, ResultRecord result) {
    if (!result.command().equals(COMMAND)) {
      return;
    }
    switch (result.facts().getOrDefault("preset", "")) {
      case AMOUNTS -> amounts(page, result.rows());
      case MESSAGES -> messages(page, result.rows());
      case UDP_RATES -> rates(page, result);
      default -> SweepPage.add(page, result.rows());
    }
  }

  /** A client's and a server's table for each mechanism, amounts by rows. */
  private static void amounts(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    int number = 1;
    Function<Map<String, @Nullable Object>, String> mechanism =
        row -> upper(row.get(Keys.PROTOCOL)) + " " + row.get(Keys.MODE);
    Map<String, double[]> seconds = new LinkedHashMap<>();
    Set<Double> sizes = values(rows, AMOUNT);
    for (String name : rows.stream().map(mechanism).distinct().toList()) {
      List<Map<String, @Nullable Object>> own =
          rows.stream().filter(row -> mechanism.apply(row).equals(name)).toList();
      String of = ": " + name + ", messages of " + size(own.get(0).get(Keys.MESSAGE_BYTES)) + ", ";
      page.heading("Table " + number++ + of + "client statistics");
      page.table(
          spreads(own, sizes, Keys.SENT_MESSAGES, Keys.SENT_BYTES, Keys.TRANSMISSION_MICROS));
      page.heading("Table " + number++ + of + "server statistics");
      page.table(spreads(own, sizes, Keys.RECEIVED_MESSAGES, Keys.RECEIVED_BYTES));
      seconds.put(name, means(own, AMOUNT, sizes, Keys.TRANSMISSION_MICROS));
    }
    BarChart chart = new BarChart("Time for an amount", "mean time", Unit.MICROS, "", sizes(sizes));
    seconds.forEach(chart::bars);
    page.chart(chart);
  }

  /** Smallest, mean and largest of some figures, a row for each amount. */
  private static Table spreads(
      List<Map<String, @Nullable Object>> rows, Set<Double> amounts, String... figures) {
    Table table = new Table().text("Size");
    for (String figure : figures) {
      boolean time = figure.equals(Keys.TRANSMISSION_MICROS);
      String word = time ? "Time" : figure.endsWith("_bytes") ? "Bytes" : "Messages";
      for (String which : List.of("min", "avg", "max")) {
        table.number(word + " " + which, time ? Unit.MICROS : Unit.NONE);
      }
    }
    for (double amount : amounts) {
      List<Map<String, @Nullable Object>> same = where(rows, AMOUNT, amount);
      List<@Nullable Object> cells = new ArrayList<>(List.of(size(amount)));
      for (String figure : figures) {
        double[] values = numbers(same, figure);
        cells.add(of(values, Double.POSITIVE_INFINITY, Math::min));
        cells.add(mean(values));
        cells.add(of(values, Double.NEGATIVE_INFINITY, Math::max));
      }
      table.row(cells.toArray());
    }
    return table;
  }

  /** Latency and throughput by message size, for one client and for several. */
  private static void messages(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    for (Object protocol : rows.stream().map(row -> row.get(Keys.PROTOCOL)).distinct().toList()) {
      List<Map<String, @Nullable Object>> own =
          rows.stream().filter(row -> Objects.equals(row.get(Keys.PROTOCOL), protocol)).toList();
      Set<Double> sizes = values(own, Keys.MESSAGE_BYTES);
      String name = upper(protocol);
      BarChart latency =
          new BarChart(
              name + ": latency by message size", "mean round trip", Unit.MICROS, "", sizes(sizes));
      BarChart throughput =
          new BarChart(
              name + ": throughput by message size",
              "received, all clients",
              Unit.BITS_PER_SECOND,
              "",
              sizes(sizes));
      page.heading(name + " readings");
      for (double clients : values(own, CLIENTS)) {
        List<Map<String, @Nullable Object>> same = where(own, CLIENTS, clients);
        String who = clients == 1 ? "single client" : Math.round(clients) + " clients";
        page.paragraph(name + ", " + who + ":");
        page.table(readings(same, (int) Math.min(MAX_CLIENTS, clients), sizes));
        latency.bars(who, means(same, Keys.MESSAGE_BYTES, sizes, LATENCY));
        double[] sums = means(same, Keys.MESSAGE_BYTES, sizes, Keys.RECEIVED_RATE);
        for (int i = 0; i < sums.length; i++) {
          sums[i] *= clients;
        }
        throughput.bars(who, sums);
      }
      page.chart(latency);
      page.chart(throughput);
    }
  }

  private static Table readings(
      List<Map<String, @Nullable Object>> rows, int clients, Set<Double> sizes) {
    Table table = new Table().text("Byte size");
    for (String what : List.of("Latency", "Throughput")) {
      Unit unit = what.equals("Latency") ? Unit.MICROS : Unit.BITS_PER_SECOND;
      for (int client = 1; client <= clients; client++) {
        table.number(clients == 1 ? what : what + " client " + client, unit);
      }
      if (clients > 1) {
        table.number("Average " + what.toLowerCase(Locale.ROOT), unit);
      }
    }
    for (double bytes : sizes) {
      List<Map<String, @Nullable Object>> same = where(rows, Keys.MESSAGE_BYTES, bytes);
      List<@Nullable Object> cells = new ArrayList<>(List.of(size(bytes)));
      for (String figure : List.of(LATENCY, Keys.RECEIVED_RATE)) {
        for (int client = 1; client <= clients; client++) {
          cells.add(mean(numbers(where(same, "client", client), figure)));
        }
        if (clients > 1) {
          cells.add(mean(numbers(same, figure)));
        }
      }
      table.row(cells.toArray());
    }
    return table;
  }

  /** Loss and jitter, a column for each rate. */
  private static void rates(HtmlReport page, ResultRecord result) {
    Set<Double> rates = values(result.rows(), Keys.ASKED_RATE);
    String path = result.facts().getOrDefault(Keys.SERVER, "");
    for (String figure : List.of(Keys.LOSS_RATIO, Keys.JITTER_MICROS)) {
      boolean loss = figure.equals(Keys.LOSS_RATIO);
      Table table = new Table().inOneUnit().text("Path");
      List<@Nullable Object> cells = new ArrayList<>(List.of(path));
      for (double rate : rates) {
        table.number(Math.round(rate / 1e6) + "M", loss ? Unit.RATIO : Unit.MICROS);
        cells.add(mean(numbers(where(result.rows(), Keys.ASKED_RATE, rate), figure)));
      }
      page.heading(loss ? "Table 6: UDP packet loss" : "Table 7: UDP jitter");
      page.table(table.row(cells.toArray()));
    }
  }

  private static String upper(@Nullable Object protocol) {
    return String.valueOf(protocol).toUpperCase(Locale.ROOT);
  }

  /** {@code 500 MiB}, {@code 65,535 B}: sizes of the reports are in powers of 1024. */
  private static String size(@Nullable Object value) {
    double bytes = value instanceof Number number ? number.doubleValue() : 0;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (unit + 1 < units.length && bytes >= 1_024 && bytes % 1_024 == 0) {
      bytes /= 1_024;
      unit++;
    }
    return String.format(Locale.ROOT, "%,.0f %s", bytes, units[unit]);
  }

  private static List<String> sizes(Set<Double> bytes) {
    return bytes.stream().map(PresetPage::size).toList();
  }

  private static Set<Double> values(List<Map<String, @Nullable Object>> rows, String name) {
    Set<Double> values = new TreeSet<>();
    for (double value : numbers(rows, name)) {
      values.add(value);
    }
    return values;
  }

  private static List<Map<String, @Nullable Object>> where(
      List<Map<String, @Nullable Object>> rows, String name, double value) {
    Predicate<Map<String, @Nullable Object>> same =
        row -> row.get(name) instanceof Number number && number.doubleValue() == value;
    return rows.stream().filter(same).toList();
  }

  private static double[] numbers(List<Map<String, @Nullable Object>> rows, String name) {
    return rows.stream()
        .map(row -> row.get(name))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .toArray();
  }

  private static double[] means(
      List<Map<String, @Nullable Object>> rows, String by, Set<Double> of, String figure) {
    return of.stream()
        .mapToDouble(value -> mean(numbers(where(rows, by, value), figure)))
        .toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /** Not finite, and so not known, when there is none. */
  private static double of(double[] values, double none, DoubleBinaryOperator operator) {
    return Arrays.stream(values).reduce(none, operator);
  }
}
