package ebb.net.command;

import ebb.core.stats.Summary;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.control.FlowCounts;
import ebb.net.run.RunOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The tables of a sweep, as lines; the presets' have the shape of the reports they repeat. */
final class SweepTables {
  private SweepTables() {}

  /** Columns padded to their widest cell. */
  static List<String> table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String pad = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ").append(i == 0 ? row.get(i) + pad : pad + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** One line a case. */
  static List<String> plain(List<SweepCase> cases) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("Case", "Received min", "avg", "max", "Loss", "Jitter", "Round trip p50", "p99"));
    for (SweepCase each : cases) {
      List<String> row = new ArrayList<>(List.of(each.name()));
      double[] rates = NetFigures.values(each.all(), Keys.RECEIVED_RATE);
      if (rates.length == 0) {
        row.addAll(List.of("-", "-", "-"));
      } else {
        Summary rate = Summary.of(rates);
        for (double value : new double[] {rate.min(), rate.mean(), rate.max()}) {
          row.add(Human.bitRate(value));
        }
      }
      for (String name :
          List.of(Keys.LOSS_RATIO, Keys.JITTER_MICROS, Keys.ROUND_TRIP_P50, Keys.ROUND_TRIP_P99)) {
        double[] values = NetFigures.values(each.all(), name);
        row.add(values.length == 0 ? "-" : NetFigures.text(name, Summary.of(values).mean()));
      }
      rows.add(row);
    }
    return table(rows);
  }

  /** A client's and a server's table for each mechanism: amounts by rows. */
  static List<String> transfers(List<SweepCase> cases) {
    List<String> lines = new ArrayList<>();
    int number = 1;
    for (String mechanism : cases.stream().map(c -> c.spec().name()).distinct().toList()) {
      List<SweepCase> own = cases.stream().filter(c -> c.spec().name().equals(mechanism)).toList();
      List<List<String>> client = new ArrayList<>();
      client.add(
          List.of(
              "Size",
              "Messages min",
              "avg",
              "max",
              "Bytes min",
              "avg",
              "max",
              "Time min",
              "avg",
              "max"));
      List<List<String>> server = new ArrayList<>();
      server.add(List.of("Size", "Messages min", "avg", "max", "Bytes min", "avg", "max"));
      for (SweepCase each : own) {
        List<String> sent = new ArrayList<>(List.of(SweepCase.bytes(each.spec().amountBytes())));
        counts(sent, each, o -> o.measured(true).sent());
        spread(sent, each, o -> o.measuredMicros() / 1e6, "%.3fs");
        client.add(sent);
        List<String> read = new ArrayList<>(List.of(SweepCase.bytes(each.spec().amountBytes())));
        counts(read, each, o -> o.measured(true).received());
        server.add(read);
      }
      String of = mechanism + ", messages of " + own.get(0).spec().messageBytes() + " bytes";
      lines.add("");
      lines.add("Table " + number++ + ": " + of + ", client statistics");
      lines.addAll(table(client));
      lines.add("");
      lines.add("Table " + number++ + ": " + of + ", server statistics");
      lines.addAll(table(server));
    }
    return lines;
  }

  private static void counts(
      List<String> row, SweepCase each, java.util.function.Function<RunOutcome, FlowCounts> side) {
    spread(row, each, o -> side.apply(o).messages(), "%.0f");
    spread(row, each, o -> side.apply(o).bytes(), "%.0f");
  }

  private static void spread(
      List<String> row, SweepCase each, ToDoubleFunction<RunOutcome> figure, String format) {
    double[] values = each.all().stream().mapToDouble(figure).toArray();
    if (values.length == 0) {
      row.addAll(List.of("-", "-", "-"));
      return;
    }
    Summary summary = Summary.of(values);
    for (double value : new double[] {summary.min(), summary.mean(), summary.max()}) {
      row.add(String.format(Locale.ROOT, format, value));
    }
  }

  /** Latency and throughput by message size, for one client and for several. */
  static List<String> sizes(List<SweepCase> cases) {
    List<String> lines = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (SweepCase first : cases) {
      if (seen.add(first.spec().protocol() + " " + first.clients())) {
        lines.add("");
        lines.add(
            first.spec().protocol().toUpperCase(Locale.ROOT)
                + " readings, "
                + (first.clients() == 1 ? "single client" : first.clients() + " clients")
                + ": mean round trip of a message in ms, throughput in Mbit/s");
        lines.addAll(table(sizeRows(cases, first)));
      }
    }
    return lines;
  }

  private static List<List<String>> sizeRows(List<SweepCase> cases, SweepCase like) {
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("Byte size"));
    for (String what : List.of("Latency", "Throughput")) {
      for (int client = 1; client <= like.clients(); client++) {
        header.add(like.clients() == 1 ? what : what + " client " + client);
      }
      if (like.clients() > 1) {
        header.add("Average " + what.toLowerCase(Locale.ROOT));
      }
    }
    rows.add(header);
    for (SweepCase each : cases) {
      if (!each.spec().protocol().equals(like.spec().protocol())
          || each.clients() != like.clients()) {
        continue;
      }
      List<String> row = new ArrayList<>(List.of(SweepCase.bytes(each.spec().messageBytes())));
      means(row, each, o -> o.latency().meanMicros() / 1e3);
      means(row, each, o -> o.receivedBitsPerSecond(true) / 1e6);
      rows.add(row);
    }
    return rows;
  }

  private static void means(List<String> row, SweepCase each, ToDoubleFunction<RunOutcome> figure) {
    double sum = 0;
    for (int client = 0; client < each.clients(); client++) {
      double mean = each.ofClient(client).stream().mapToDouble(figure).average().orElse(Double.NaN);
      sum += mean;
      row.add(String.format(Locale.ROOT, "%.4g", mean));
    }
    if (each.clients() > 1) {
      row.add(String.format(Locale.ROOT, "%.4g", sum / each.clients()));
    }
  }

  /** Loss and jitter by rate: one column a rate. */
  static List<String> rates(List<SweepCase> cases, String path) {
    List<String> header = new ArrayList<>(List.of("Path"));
    List<String> loss = new ArrayList<>(List.of(path));
    List<String> jitter = new ArrayList<>(List.of(path));
    for (SweepCase each : cases) {
      header.add(each.spec().bitsPerSecond() / 1_000_000 + "M");
      loss.add(mean(each, Keys.LOSS_RATIO, 100));
      jitter.add(mean(each, Keys.JITTER_MICROS, 1e-3));
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Table 6: UDP packet loss percentage (%)");
    lines.addAll(table(List.of(header, loss)));
    lines.add("");
    lines.add("Table 7: UDP jitter (ms)");
    lines.addAll(table(List.of(header, jitter)));
    return lines;
  }

  private static String mean(SweepCase each, String name, double factor) {
    double[] values = NetFigures.values(each.all(), name);
    return values.length == 0
        ? "-"
        : String.format(Locale.ROOT, "%.3g", factor * Summary.of(values).mean());
  }
}
