package ebb.vm.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.stats.Summary;
import ebb.net.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps over the network in the shape of the reports that they repeat: what client and server
 * counted by amount, round trips and throughput by message size and client, loss and jitter by
 * rate.
 */
final class SweepTables {
  private static final String COMMAND = "net sweep";
  private static final String AMOUNT = "amount_bytes";
  private static final String CLIENTS = "clients";
  private static final String CLIENT = "client";
  private static final String MEAN = "round_trip_mean_micros";

  private SweepTables() {}

  static void add(HtmlReport page, List<TaskResult> results) {
    for (TaskResult one : results) {
      if (one.isOf(COMMAND)) {
        String preset = one.result().facts().getOrDefault("preset", "");
        switch (preset) {
          case "amounts" -> amounts(page, one);
          case "messages" -> messages(page, one);
          default -> {}
        }
      }
    }
    rates(page, results);
  }

  private static Map<String, List<Map<String, @Nullable Object>>> by(
      TaskResult one, String first, String second) {
    return one.result().rows().stream()
        .collect(
            Collectors.groupingBy(
                row -> row.get(first) + " " + row.get(second),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static @Nullable Summary of(
      List<Map<String, @Nullable Object>> rows,
      String figure,
      Predicate<Map<String, @Nullable Object>> which) {
    double[] values =
        rows.stream()
            .filter(which)
            .mapToDouble(row -> TaskResult.number(row, figure))
            .filter(Double::isFinite)
            .toArray();
    return values.length == 0 ? null : Summary.of(values);
  }

  private static long[] values(List<Map<String, @Nullable Object>> rows, String key) {
    return rows.stream()
        .mapToLong(row -> (long) TaskResult.number(row, key))
        .distinct()
        .sorted()
        .toArray();
  }

  private static Predicate<Map<String, @Nullable Object>> where(String key, long value) {
    return row -> (long) TaskResult.number(row, key) == value;
  }

  /** A client's and a server's table for each mechanism. */
  private static void amounts(HtmlReport page, TaskResult one) {
    page.heading(one.who() + ": amounts");
    by(one, Keys.PROTOCOL, Keys.MODE)
        .forEach(
            (mechanism, rows) -> {
              String name = mechanism.toUpperCase(Locale.ROOT);
              page.table(
                  counts(
                      name + ", client",
                      rows,
                      Keys.SENT_MESSAGES,
                      Keys.SENT_BYTES,
                      Keys.TRANSMISSION_MICROS));
              page.table(
                  counts(
                      name + ", server", rows, Keys.RECEIVED_MESSAGES, Keys.RECEIVED_BYTES, null));
            });
  }

  private static Table counts(
      String name,
      List<Map<String, @Nullable Object>> rows,
      String messages,
      String bytes,
      @Nullable String micros) {
    Table table = new Table().text(name);
    spread(table, "Messages", Unit.COUNT);
    spread(table, "Bytes", Unit.BYTES);
    if (micros != null) {
      spread(table, "Time", Unit.MICROS);
    }
    for (long amount : values(rows, AMOUNT)) {
      @Nullable Object[] cells = new Object[micros == null ? 7 : 10];
      cells[0] = BlockTables.size(amount);
      fill(cells, 1, of(rows, messages, where(AMOUNT, amount)));
      fill(cells, 4, of(rows, bytes, where(AMOUNT, amount)));
      if (micros != null) {
        fill(cells, 7, of(rows, micros, where(AMOUNT, amount)));
      }
      table.row(cells);
    }
    return table;
  }

  private static void spread(Table table, String what, Unit unit) {
    table.number(what + ", min", unit).number("average", unit).number("max", unit);
  }

  private static void fill(@Nullable Object[] cells, int at, @Nullable Summary of) {
    cells[at] = of == null ? null : of.min();
    cells[at + 1] = of == null ? null : of.mean();
    cells[at + 2] = of == null ? null : of.max();
  }

  /** Latency and throughput by message size, a table for each number of clients. */
  private static void messages(HtmlReport page, TaskResult one) {
    page.heading(one.who() + ": messages, each sent when the one before was answered");
    by(one, Keys.PROTOCOL, CLIENTS)
        .forEach(
            (kind, rows) -> {
              long[] clients = values(rows, CLIENT);
              String name = kind.substring(0, kind.indexOf(' ')).toUpperCase(Locale.ROOT);
              Table table =
                  new Table()
                      .text(
                          name
                              + (clients.length == 1
                                  ? ", 1 client"
                                  : ", " + clients.length + " clients"));
              for (long client : clients) {
                table.number(of("Latency", client, clients), Unit.MICROS);
              }
              for (long client : clients) {
                table.number(of("Throughput", client, clients), Unit.BITS_PER_SECOND);
              }
              if (clients.length > 1) {
                table.number("Average latency", Unit.MICROS);
                table.number("Average throughput", Unit.BITS_PER_SECOND);
              }
              for (long bytes : values(rows, Keys.MESSAGE_BYTES)) {
                table.row(sizeRow(rows, bytes, clients));
              }
              page.table(table);
            });
  }

  private static String of(String what, long client, long[] clients) {
    return clients.length == 1 ? what : what + ", client " + client;
  }

  private static @Nullable Object[] sizeRow(
      List<Map<String, @Nullable Object>> rows, long bytes, long[] clients) {
    Predicate<Map<String, @Nullable Object>> size = where(Keys.MESSAGE_BYTES, bytes);
    int count = clients.length;
    @Nullable Object[] cells = new Object[1 + 2 * count + (count > 1 ? 2 : 0)];
    cells[0] = BlockTables.size(bytes);
    for (int i = 0; i < count; i++) {
      cells[1 + i] = mean(rows, MEAN, size.and(where(CLIENT, clients[i])));
      cells[1 + count + i] = mean(rows, Keys.RECEIVED_RATE, size.and(where(CLIENT, clients[i])));
    }
    if (count > 1) {
      cells[1 + 2 * count] = mean(rows, MEAN, size);
      cells[2 + 2 * count] = mean(rows, Keys.RECEIVED_RATE, size);
    }
    return cells;
  }

  private static @Nullable Double mean(
      List<Map<String, @Nullable Object>> rows,
      String figure,
      Predicate<Map<String, @Nullable Object>> which) {
    Summary summary = of(rows, figure, which);
    return summary == null ? null : summary.mean();
  }

  /** Loss and jitter of all sweeps of rates together: a row for each, a column for each rate. */
  private static void rates(HtmlReport page, List<TaskResult> results) {
    List<TaskResult> sweeps =
        results.stream()
            .filter(
                one ->
                    one.isOf(COMMAND)
                        && "udp-rates".equals(one.result().facts().getOrDefault("preset", "")))
            .toList();
    if (sweeps.isEmpty()) {
      return;
    }
    long[] rates =
        sweeps.stream()
            .flatMapToLong(one -> LongStream.of(values(one.result().rows(), Keys.ASKED_RATE)))
            .distinct()
            .sorted()
            .toArray();
    page.heading("UDP by rate");
    Map<String, Unit> shown = new LinkedHashMap<>();
    shown.put(Keys.LOSS_RATIO, Unit.RATIO);
    shown.put(Keys.JITTER_MICROS, Unit.MICROS);
    shown.forEach(
        (figure, unit) -> {
          Table table = new Table().text(figure.equals(Keys.LOSS_RATIO) ? "Loss" : "Jitter");
          for (long rate : rates) {
            table.number(rate / 1_000_000 + "M", unit);
          }
          for (TaskResult one : sweeps) {
            @Nullable Object[] cells = new Object[1 + rates.length];
            cells[0] = one.who();
            for (int i = 0; i < rates.length; i++) {
              cells[1 + i] = mean(one.result().rows(), figure, where(Keys.ASKED_RATE, rates[i]));
            }
            table.row(cells);
          }
          page.table(table);
        });
  }
}
