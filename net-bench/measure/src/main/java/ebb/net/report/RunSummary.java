package ebb.net.report;

import ebb.core.report.RowTable;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.net.Keys;
import ebb.net.control.TestSpec.Mode;
import ebb.net.matrix.Matrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A result in words: what was measured and what came out. What it does not know it leaves out. */
final class RunSummary {
  private RunSummary() {}

  /** {@code TCP streaming to 10.0.0.2:7724}. */
  static String title(ResultRecord result) {
    Map<String, String> facts = result.facts();
    List<String> words = new ArrayList<>();
    if (facts.containsKey(Keys.PROTOCOL)) {
      words.add(transport(result));
      words.add(facts.getOrDefault(Keys.MODE, ""));
    } else {
      words.add(result.command());
      words.add(facts.getOrDefault("preset", ""));
    }
    if (facts.containsKey(Keys.SERVER)) {
      words.add("to " + facts.get(Keys.SERVER));
    } else if (facts.containsKey(Keys.HOSTS)) {
      words.add("between " + facts.getOrDefault(Keys.HOSTS, "").split(",").length + " hosts");
    }
    words.removeIf(String::isEmpty);
    return String.join(" ", words);
  }

  /** {@code TCP}, {@code LEDBAT scavenger}: by whose law it sent, where that is told. */
  static String transport(ResultRecord result) {
    String told = result.facts().getOrDefault(Keys.TRANSPORT, "");
    String controller =
        told.startsWith(Keys.LEDBAT_CONTROLLER)
            ? told.substring(Keys.LEDBAT_CONTROLLER.length())
            : "";
    boolean usual = controller.isEmpty() || controller.equalsIgnoreCase(protocol(result));
    return protocol(result) + (usual ? "" : " " + controller);
  }

  private static String protocol(ResultRecord result) {
    return result.facts().getOrDefault(Keys.PROTOCOL, "").toUpperCase(Locale.ROOT);
  }

  /** When, for how long, with what. */
  static String setUp(ResultRecord result) {
    List<String> parts = new ArrayList<>();
    parts.add(result.started().replaceFirst("T(\\d\\d:\\d\\d:\\d\\d)\\S*Z$", ", $1 UTC"));
    add(parts, result, "streams", " stream", " streams");
    Number micros = result.figures().get("measured_micros");
    if (micros != null) {
      parts.add(Human.micros(micros.longValue()));
    }
    Number asked = result.figures().get(Keys.ASKED_RATE);
    if (asked != null && asked.doubleValue() > 0) {
      parts.add(Human.bitRate(asked.doubleValue()) + " asked for");
    }
    add(parts, result, Keys.MESSAGE_BYTES, " B a message", " B a message");
    add(parts, result, "cases", " case", " cases");
    return String.join(", ", parts) + ".";
  }

  private static void add(
      List<String> parts, ResultRecord result, String name, String one, String many) {
    Number value = result.figures().get(name);
    if (value != null) {
      parts.add(number(value) + (value.longValue() == 1 ? one : many));
    }
  }

  private static String number(Number value) {
    return String.format(Locale.ROOT, "%,d", value.longValue());
  }

  /** {@code 65,535 B}; what is no number as it stands. */
  static String bytes(@Nullable Object value) {
    return (value instanceof Number number ? number(number) : value) + " B";
  }

  /** One sentence; empty when there is nothing to say. */
  static String answer(ResultRecord result, Matrix matrix) {
    if (result.command().equals(YieldCharts.COMMAND)) {
      return YieldCharts.answer(result);
    }
    String told = result.facts().getOrDefault("answer", "");
    if (!told.isEmpty()) {
      return told + ".";
    }
    Map<String, @Nullable Number> figures = result.figures();
    Number median = figures.get(Keys.ROUND_TRIP_P50);
    Number most = figures.get(Keys.ROUND_TRIP_P99);
    if (median != null && most != null) {
      return "Half of the round trips took at most "
          + Human.micros(median.longValue())
          + ", 99% at most "
          + Human.micros(most.longValue())
          + lost(
              figures.getOrDefault(Keys.LOSS_RATIO, figures.get("up_" + Keys.LOSS_RATIO)),
              figures.containsKey(Keys.LOSS_RATIO) ? "echoes" : "messages")
          + ".";
    }
    Number mean = figures.get("mean_" + Keys.RECEIVED_RATE);
    Number least = figures.get("min_" + Keys.RECEIVED_RATE);
    Number greatest = figures.get("max_" + Keys.RECEIVED_RATE);
    if (mean != null && least != null && greatest != null) {
      return "%s: %s arrived on average, from %s to %s in %d runs."
          .formatted(
              protocol(result),
              Human.bitRate(mean.doubleValue()),
              Human.bitRate(least.doubleValue()),
              Human.bitRate(greatest.doubleValue()),
              figures.getOrDefault("runs", result.rows().size()));
    }
    List<String> directions = new ArrayList<>();
    for (String direction : List.of("up", "down")) {
      Number rate = figures.get(direction + "_" + Keys.RECEIVED_RATE);
      if (rate != null) {
        directions.add(
            Human.bitRate(rate.doubleValue())
                + (direction.equals("up") ? " arrived at the server" : " arrived here")
                + lost(figures.get(direction + "_" + Keys.LOSS_RATIO), "datagrams"));
      }
    }
    if (!directions.isEmpty()) {
      return protocol(result) + ": " + String.join("; ", directions) + ".";
    }
    if (result.command().equals(Matrix.COMMAND)) {
      int failed = matrix.failures().size();
      return matrix.paths().size()
          + " directions between "
          + matrix.hosts().size()
          + " hosts were measured, "
          + (failed == 0 ? "none failed." : failed + " failed.");
    }
    return cases(result);
  }

  private static String cases(ResultRecord result) {
    double[] rates = sorted(result, Mode.STREAMING, Keys.RECEIVED_RATE);
    double[] trips = sorted(result, Mode.STOP_AND_WAIT, Keys.ROUND_TRIP_P50);
    List<String> parts = new ArrayList<>();
    if (rates.length > 1) {
      parts.add(
          "From %s to %s arrived in %d streaming runs."
              .formatted(
                  Human.bitRate(rates[0]), Human.bitRate(rates[rates.length - 1]), rates.length));
    }
    if (trips.length > 1) {
      parts.add(
          "Round trips took from %s to %s, median, in %d stop-and-wait runs."
              .formatted(
                  Human.micros(Math.round(trips[0])),
                  Human.micros(Math.round(trips[trips.length - 1])),
                  trips.length));
    }
    return String.join(" ", parts);
  }

  private static double[] sorted(ResultRecord result, Mode mode, String figure) {
    double[] values =
        finite(
            result.rows().stream().filter(row -> mode.text().equals(row.get(Keys.MODE))), figure);
    Arrays.sort(values);
    return values;
  }

  /** The numbers of a column, without those that are not known. */
  static double[] finite(Stream<Map<String, @Nullable Object>> rows, String column) {
    return rows.map(row -> row.get(column))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .filter(Double::isFinite)
        .toArray();
  }

  private static String lost(@Nullable Number ratio, String what) {
    return ratio == null
        ? ""
        : ratio.doubleValue() == 0
            ? ", no " + what + " were lost"
            : String.format(
                Locale.ROOT, ", %.3g%% of the %s were lost", 100 * ratio.doubleValue(), what);
  }

  /** Whether a figure is worth a large type; of what was lost both ways not each way besides. */
  static boolean matters(ResultRecord result, String name) {
    if (result.command().equals(YieldCharts.COMMAND)) {
      return false; // Those that do are told with their bounds.
    }
    return name.endsWith(Keys.RECEIVED_RATE)
        || name.equals(Keys.LOSS_RATIO)
        || (name.endsWith(Keys.LOSS_RATIO) && !result.figures().containsKey(Keys.LOSS_RATIO))
        || name.endsWith("_" + Keys.JITTER_MICROS)
        || name.endsWith("one_way_delay_mean_micros")
        || (name.startsWith(Keys.ROUND_TRIP + "_")
            && (name.endsWith("min_micros")
                || name.endsWith("_max_micros")
                || name.equals(Keys.ROUND_TRIP_P50)
                || name.equals(Keys.ROUND_TRIP_P99)));
  }

  /** {@code received rate, up}: what a figure is, and how well a delay between clocks is known. */
  static String label(ResultRecord result, String name) {
    String words = RowTable.words(name).replaceFirst("^(up|down|min|mean|p50|max) (.*)$", "$2, $1");
    words = words.replaceFirst(", p50$", ", median");
    Number error = result.figures().get("clock_error_if_even_micros");
    return name.contains("one_way_delay") && error != null
        ? words.replace("one way", "one-way") + ", within " + Human.micros(error.longValue())
        : words;
  }

  static Map<String, String> figures(ResultRecord result) {
    Map<String, String> words = new LinkedHashMap<>();
    result
        .figures()
        .forEach(
            (name, value) ->
                words.put(
                    RowTable.words(name),
                    value == null ? "not known" : RowTable.text(name, value)));
    return words;
  }

  static Map<String, String> facts(ResultRecord result) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("command", "ebb " + result.command());
    result.facts().forEach((name, value) -> words.put(RowTable.words(name), value));
    result.environment().forEach((name, value) -> words.put(name.replace('_', ' '), value));
    return words;
  }
}
