package ebb.storage.report;

import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The figures of runs, one a repetition, by what was measured, where and when. */
public final class Samples {
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();

  /** What a report shows of a case. */
  public enum Quantity {
    BANDWIDTH,
    IOPS,
    LATENCY
  }

  /**
   * Samples that can be compared with one another.
   *
   * @param region "" where none was told, as with the period
   */
  public record Key(
      String name, long processes, long intervalMicros, String region, String period, Quantity of) {
    /** For people. */
    public String words() {
      StringBuilder words = new StringBuilder(named(name, processes));
      if (intervalMicros > 0) {
        words.append(" every ").append(Human.micros(intervalMicros));
      }
      if (!region.isEmpty()) {
        words.append(", ").append(region);
      }
      if (!period.isEmpty()) {
        words.append(", ").append(period);
      }
      return words.toString();
    }

    /** Whether less is better. */
    public boolean lowerIsBetter() {
      return of == Quantity.LATENCY;
    }

    /** A value with its unit. */
    public String show(double value) {
      return switch (of) {
        case BANDWIDTH -> Human.byteRate(value);
        case IOPS -> String.format(Locale.ROOT, value < 100 ? "%.2f/s" : "%.0f/s", value);
        case LATENCY -> Human.micros((long) value);
      };
    }
  }

  private Samples() {}

  /** The whole cases of all records; repetitions that were cut short or failed do not count. */
  public static Samples of(List<ResultRecord> records) {
    Samples samples = new Samples();
    for (ResultRecord record : records) {
      if (!record.complete() && record.facts().containsKey("plan")) {
        continue; // Measured again when the plan went on.
      }
      for (Map<String, @Nullable Object> row : record.rows()) {
        if ("case".equals(row.get("scope")) && Boolean.TRUE.equals(row.get("complete"))) {
          samples.add(row);
        }
      }
    }
    return samples;
  }

  private void add(Map<String, @Nullable Object> row) {
    Quantity of =
        switch (text(row, "measure")) {
          case "iops" -> Quantity.IOPS;
          case "latency" -> Quantity.LATENCY;
          default -> Quantity.BANDWIDTH;
        };
    String figure =
        switch (of) {
          case BANDWIDTH -> "bytes_per_second";
          case IOPS -> "operations_per_second";
          case LATENCY -> "latency_p50_micros";
        };
    if (row.get(figure) instanceof Number number && number.doubleValue() > 0) {
      Key key =
          new Key(
              name(row),
              number(row, "processes"),
              number(row, "interval_micros"),
              text(row, "region"),
              text(row, "period"),
              of);
      values.computeIfAbsent(key, none -> new ArrayList<>()).add(number.doubleValue());
    }
  }

  /**
   * A case; by another part of the library or at a planned rate it is another, whose latencies
   * count from the planned times, and so it is by several clients together.
   */
  static String name(Map<String, @Nullable Object> row) {
    long clients = number(row, "clients");
    String variant = text(row, "variant");
    String name =
        text(row, "case")
            + (variant.isEmpty() ? "" : ", " + variant)
            + (clients == 0 ? "" : " by " + clients + " clients");
    if (row.get("asked_operations_per_second") instanceof Number number) {
      double rate = number.doubleValue();
      return name + " at " + (rate == Math.rint(rate) ? Long.toString((long) rate) : rate) + "/s";
    }
    return name;
  }

  /** The same with its processes, as tables and charts have it. */
  static String named(Map<String, @Nullable Object> row) {
    return named(name(row), number(row, "processes"));
  }

  private static String named(String name, long processes) {
    return processes > 1 && !name.contains("_pt") ? name + " x" + processes : name;
  }

  private static String text(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof String text ? text : "";
  }

  private static long number(Map<String, @Nullable Object> row, String name) {
    return row.get(name) instanceof Number number ? number.longValue() : 0;
  }

  /** In the order in which they were measured first. */
  public Set<Key> keys() {
    return values.keySet();
  }

  /** One a repetition; none for what was not measured. */
  public double[] values(Key key) {
    return values.getOrDefault(key, List.of()).stream().mapToDouble(Double::doubleValue).toArray();
  }
}
