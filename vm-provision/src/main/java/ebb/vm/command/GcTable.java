package ebb.vm.command;

import ebb.core.cli.Output;
import ebb.core.units.Human;
import ebb.vm.port.RunLabels;
import ebb.vm.rules.Prices;
import ebb.vm.run.BucketLeftovers.RunObjects;
import ebb.vm.run.Leftovers.Leftover;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ebb vm gc} shows of leftovers: whose they are, whether their time is over, and what
 * they cost by list prices.
 */
final class GcTable {
  private static final double SMALLEST = 0.001;
  private static final double SECONDS_OF_AN_HOUR = 3_600;

  private final boolean all;
  private final Instant now;
  private final Output output;
  private final LineTable table = new LineTable("WHAT", "RUN", "OF", "ENDS", "USD/h", "USD SINCE");
  private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
  private final Prices prices = Prices.standard();
  private double dollarsPerHour;
  private double dollarsSince;

  /**
   * A table without rows.
   *
   * @param all whether expired or not does not matter
   */
  GcTable(boolean all, Instant now, Output output) {
    this.all = all;
    this.now = now;
    this.output = output;
  }

  /** Whether it is to go. */
  boolean isOver(RunLabels labels) {
    return all || labels.isExpired(now);
  }

  void add(Leftover one) {
    add(one.what(), one.labels(), one.dollarsPerHour());
  }

  void add(RunObjects objects, String bucket) {
    int count = objects.names().size();
    add(
        count
            + (count == 1 ? " object (" : " objects (")
            + Human.bytes((double) objects.bytes())
            + ") in "
            + bucket,
        objects.labels(),
        prices.objectsPerHour(objects.bytes()));
  }

  private void add(String what, RunLabels labels, OptionalDouble cost) {
    boolean over = isOver(labels);
    double hours = Math.max(0, Duration.between(labels.expires(), now).toSeconds());
    hours /= SECONDS_OF_AN_HOUR;
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("what", what);
    row.put("run", labels.runId());
    row.put("owner", labels.owner());
    row.put("expires", labels.expires().toString());
    row.put("dollars_per_hour", cost.isPresent() ? cost.getAsDouble() : null);
    if (over) {
      rows.add(row);
    }
    double rate = cost.orElse(0);
    if (over) {
      dollarsPerHour += rate;
      dollarsSince += rate * hours;
    }
    table.add(
        what,
        labels.runId(),
        labels.owner(),
        LineTable.end(labels, now),
        cost.isPresent() ? money(rate) : null,
        !over ? "left alone" : cost.isPresent() && hours > 0 ? money(rate * hours) : null);
  }

  /** Prints a line for each, and what all that is to go costs, if it costs anything. */
  void print() {
    table.print(output);
    if (dollarsPerHour > 0) {
      output.line(
          "together "
              + money(dollarsPerHour)
              + " USD an hour, "
              + money(dollarsSince)
              + " USD since they were to be gone; list prices of us-central1, "
              + prices.seen());
    }
  }

  /** Of those that are to go. */
  List<Map<String, @Nullable Object>> rows() {
    return rows;
  }

  double dollarsPerHour() {
    return dollarsPerHour;
  }

  /** Three digits below a dollar, for what is small adds up. */
  private static String money(double dollars) {
    if (dollars < SMALLEST) {
      return "<" + SMALLEST;
    }
    return String.format(Locale.ROOT, dollars < 1 ? "%.3f" : "%.2f", dollars);
  }
}
