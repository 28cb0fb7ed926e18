package ebb.net.report;

import ebb.core.report.BarChart;
import ebb.core.report.HtmlReport;
import ebb.core.report.LineChart;
import ebb.core.report.Series;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.units.Human;
import ebb.net.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The page of a sweep without a preset, from the rows of its result: a row for each case, whatever
 * number of runs and clients it had, and figures against what was varied.
 */
final class SweepPage {
  private static final int MAX_LINES = 12;

  /** What a sweep varies in numbers. */
  private enum Varied {
    MESSAGE(Keys.MESSAGE_BYTES, "message size", "bytes of a message"),
    RATE(Keys.ASKED_RATE, "rate", "Mbit/s asked for"),
    AMOUNT("amount_bytes", "amount", "bytes of a run"),
    CLIENTS("clients", "clients", "clients at once");

    final String key;
    final String words;
    final String axis;

    Varied(String key, String words, String axis) {
      this.key = key;
      this.words = words;
      this.axis = axis;
    }

    /** {@code 1,400 B}; empty where there is nothing to say. */
    String text(double value) {
      if (this != MESSAGE && value <= (this == CLIENTS ? 1 : 0)) {
        return "";
      }
      return switch (this) {
        case MESSAGE -> RunSummary.bytes(value);
        case RATE -> "at " + Human.bitRate(value);
        case AMOUNT -> Human.bytes(value);
        case CLIENTS -> String.format(Locale.ROOT, "%.0f clients", value);
      };
    }
  }

  /** What is told of a case. */
  private enum Told {
    RECEIVED("Received", Keys.RECEIVED_RATE, Unit.BITS_PER_SECOND),
    LOST("Lost", Keys.LOSS_RATIO, Unit.RATIO),
    JITTER("Jitter", Keys.JITTER_MICROS, Unit.MICROS),
    ROUND_TRIP("Round trip, median", Keys.ROUND_TRIP_P50, Unit.MICROS),
    LONG_ROUND_TRIP("99%", Keys.ROUND_TRIP_P99, Unit.MICROS);

    final String words;
    final String key;
    final Unit unit;

    Told(String words, String key, Unit unit) {
      this.words = words;
      this.key = key;
      this.unit = unit;
    }
  }

  /** One combination, and the rows of its runs and clients. */
  private record Case(
      String mechanism, Map<Varied, Double> varied, List<Map<String, @Nullable Object>> rows) {
    double of(Varied what) {
      return varied.getOrDefault(what, 0.0);
    }

    double[] figures(Told figure) {
      return RunSummary.finite(rows.stream(), figure.key);
    }

    double mean(Told figure) {
      return Arrays.stream(figures(figure)).average().orElse(Double.NaN);
    }

    /** In words, without one of what was varied. */
    String name(@Nullable Varied without, List<Case> among) {
      List<String> words = new ArrayList<>(List.of(mechanism));
      for (Varied what : Varied.values()) {
        boolean differs = among.stream().mapToDouble(one -> one.of(what)).distinct().count() > 1;
        if (what != without && differs) {
          words.add(what.text(of(what)));
        }
      }
      words.removeIf(String::isEmpty);
      return String.join(", ", words);
    }
  }

  private SweepPage() {}

  /** Adds a chart and a table; nothing without rows. */
  static void add(HtmlReport page, List<Map<String, @Nullable Object>> rows) {
    List<Case> cases = cases(rows);
    if (cases.isEmpty()) {
      return;
    }
    chart(page, cases);
    boolean several = cases.stream().anyMatch(one -> one.rows.size() > 1);
    page.heading(several ? "Each case, mean of its runs and clients" : "Each case");
    page.table(table(cases, several));
  }

  private static List<Case> cases(List<Map<String, @Nullable Object>> rows) {
    Map<List<Object>, Case> cases = new LinkedHashMap<>();
    for (Map<String, @Nullable Object> row : rows) {
      String mechanism =
          String.valueOf(row.get(Keys.PROTOCOL)).toUpperCase(Locale.ROOT)
              + " "
              + row.get(Keys.MODE);
      Map<Varied, Double> varied = new EnumMap<>(Varied.class);
      for (Varied what : Varied.values()) {
        varied.put(what, number(row.get(what.key)));
      }
      cases
          .computeIfAbsent(
              List.of(mechanism, varied), none -> new Case(mechanism, varied, new ArrayList<>()))
          .rows
          .add(row);
    }
    return List.copyOf(cases.values());
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }

  /** Figures against the first quantity that was varied; without one a bar for each mechanism. */
  private static void chart(HtmlReport page, List<Case> cases) {
    for (Varied what : Varied.values()) {
      double[] places =
          cases.stream().mapToDouble(one -> one.of(what)).filter(x -> x > 0).distinct().toArray();
      if (places.length > 1) {
        lines(page, cases, what);
        return;
      }
    }
    if (cases.size() > 1) {
      List<String> names = cases.stream().map(one -> one.name(null, cases)).toList();
      double[] rates = cases.stream().mapToDouble(one -> one.mean(Told.RECEIVED)).toArray();
      page.chart(
          new BarChart("Throughput by case", "received, mean", Unit.BITS_PER_SECOND, "", names)
              .bars("received", rates));
    }
  }

  private static void lines(HtmlReport page, List<Case> cases, Varied what) {
    LineChart chart = new LineChart("Figures against " + what.words, what.axis);
    if (what == Varied.MESSAGE || what == Varied.AMOUNT) {
      chart.powersOfTwo();
    }
    double size = what == Varied.RATE ? 1e6 : 1;
    for (Told figure : List.of(Told.RECEIVED, Told.LOST, Told.ROUND_TRIP)) {
      if (figure == Told.LOST && what == Varied.RATE) {
        continue; // RunCharts has it.
      }
      Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
      for (Case one : cases) {
        double mean = one.mean(figure);
        if (Double.isFinite(mean) && one.of(what) > 0) {
          lines
              .computeIfAbsent(one.name(what, cases), none -> new TreeMap<>())
              .put(one.of(what) / size, mean);
        }
      }
      List<Series> drawn = new ArrayList<>();
      lines.forEach(
          (name, points) ->
              drawn.add(
                  new Series(
                      name,
                      points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                      points.values().stream().mapToDouble(Double::doubleValue).toArray())));
      if (!drawn.isEmpty()) {
        Series[] shown = drawn.subList(0, Math.min(MAX_LINES, drawn.size())).toArray(new Series[0]);
        chart.panel(figure.words, figure.unit, shown);
      }
    }
    if (!chart.isEmpty()) {
      page.chart(chart);
    }
  }

  private static Table table(List<Case> cases, boolean several) {
    Table table = new Table().text("Mechanism").number("Message, bytes", Unit.COUNT);
    boolean rates = cases.stream().anyMatch(one -> one.of(Varied.RATE) > 0);
    boolean amounts = cases.stream().anyMatch(one -> one.of(Varied.AMOUNT) > 0);
    boolean clients = cases.stream().anyMatch(one -> one.of(Varied.CLIENTS) > 1);
    if (rates) {
      table.number("Asked for", Unit.BITS_PER_SECOND);
    }
    if (amounts) {
      table.number("Amount", Unit.BYTES);
    }
    if (clients) {
      table.number("Clients", Unit.COUNT);
    }
    List<Told> known =
        Arrays.stream(Told.values())
            .filter(figure -> cases.stream().anyMatch(one -> one.figures(figure).length > 0))
            .toList();
    for (Told figure : known) {
      table.number(figure.words, figure.unit);
      if (figure == Told.RECEIVED && several) {
        table.number("least", figure.unit).number("most", figure.unit);
      }
    }
    for (Case one : cases) {
      List<@Nullable Object> cells = new ArrayList<>(List.of(one.mechanism));
      cells.add(one.of(Varied.MESSAGE));
      if (rates) {
        cells.add(one.of(Varied.RATE) > 0 ? (Object) one.of(Varied.RATE) : "no bound");
      }
      if (amounts) {
        cells.add(one.of(Varied.AMOUNT));
      }
      if (clients) {
        cells.add(one.of(Varied.CLIENTS));
      }
      for (Told figure : known) {
        cells.add(one.mean(figure));
        if (figure == Told.RECEIVED && several) {
          double[] all = one.figures(figure);
          cells.add(Arrays.stream(all).min().orElse(Double.NaN));
          cells.add(Arrays.stream(all).max().orElse(Double.NaN));
        }
      }
      table.row(cells.toArray());
    }
    return table;
  }
}
