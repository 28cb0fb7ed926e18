package ebb.storage.bench;

import ebb.core.stats.LatencyHistogram;
import ebb.core.units.Human;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.bench.StorageCase.Measure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One case, measured once: as rows of a result, and as a line for people.
 *
 * @param clients what each of several clients did; empty when this process measured
 * @param commonMicros the time that all clients have in common
 */
public record Measurement(
    Item item,
    int repetition,
    long blockBytes,
    PhaseResult result,
    List<ClientResult> clients,
    long commonMicros) {
  /** What the rows of a course say in their column "scope". */
  static final String COURSE = "course";

  static final String HEADER =
      String.format(
          Locale.ROOT,
          "%-28s %3s %3s %11s %9s %9s %9s %7s %6s",
          "case",
          "n",
          "rep",
          "rate",
          "ops/s",
          "p50",
          "p99",
          "retries",
          "failed");

  public Measurement {
    clients = List.copyOf(clients);
  }

  /** By this process. */
  static Measurement of(RunPlan plan, Item item, int repetition, PhaseResult result) {
    return new Measurement(
        item, repetition, item.of().blockBytes(plan.objectBytes(item)), result, List.of(), 0);
  }

  /** The sum over all processes first; then, when there are several, each of them. */
  List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    LaneResult sum = result.sum();
    Map<String, @Nullable Object> all = row("case", null, sum);
    OptionalDouble advantage =
        item.intervalMicros() > 0
            ? Newcomers.advantage(result.transfers())
            : OptionalDouble.empty();
    boolean any = sum.operations() > 0;
    all.put(
        "summed_bytes_per_second", any ? LaneResult.sum(result.lanes()).bytesPerSecond() : null);
    all.put("newcomer_advantage", advantage.isPresent() ? advantage.getAsDouble() : null);
    rows.add(all);
    if (!clients.isEmpty()) {
      all.put("clients", (long) clients.size());
      all.put("common_micros", commonMicros);
      clients.forEach(one -> rows.add(clientRow(one)));
    }
    boolean each = clients.isEmpty() && item.processes() > 1;
    for (int process = 0; each && process < item.processes(); process++) {
      Map<String, @Nullable Object> one =
          row("process", (long) process + 1, result.process(process));
      one.put("summed_bytes_per_second", null);
      one.put("newcomer_advantage", null);
      rows.add(one);
    }
    if (item.of().mix() != null) {
      result
          .kinds()
          .forEach(
              (kind, of) -> {
                Map<String, @Nullable Object> one = row("operation", null, of);
                one.put("operation", kind);
                // Lanes change from one kind to the next, so a kind has no time of its own.
                one.put("bytes_per_second", of.wallBytesPerSecond());
                one.put("operations_per_second", of.wallOperationsPerSecond());
                one.put("summed_bytes_per_second", null);
                one.put("newcomer_advantage", null);
                rows.add(one);
              });
    }
    for (Course.Window window : result.course()) {
      Map<String, @Nullable Object> one = courseRow(window);
      if (!clients.isEmpty()) {
        one.put("clients", (long) clients.size());
      }
      rows.add(one);
    }
    return rows;
  }

  private Map<String, @Nullable Object> clientRow(ClientResult one) {
    Map<String, @Nullable Object> row = row("client", null, one.result());
    row.put("summed_bytes_per_second", null);
    row.put("newcomer_advantage", null);
    row.put("client", one.name());
    row.put("begun_late_micros", one.result().operations() > 0 ? one.lateMicros() : null);
    row.put("clock_micros", one.clockMicros());
    row.put("clock_error_micros", one.clockErrorMicros());
    return row;
  }

  /** A part of the time, for charts; with few columns, for there are many of them. */
  private Map<String, @Nullable Object> courseRow(Course.Window window) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("case", item.of().name());
    row.put("scope", COURSE);
    row.put("repetition", (long) repetition);
    row.put("processes", (long) item.processes());
    row.put("interval_micros", item.intervalMicros());
    row.put("asked_operations_per_second", item.isOpen() ? item.ratePerSecond() : null);
    row.put("from_micros", window.fromMicros());
    row.put("to_micros", window.toMicros());
    row.put("operations", window.operations());
    row.put("failures", window.failures());
    row.put("bytes_per_second", Math.max(0, window.bytes()) / window.seconds());
    row.put("operations_per_second", window.operations() / window.seconds());
    boolean any = window.operations() > 0;
    row.put(
        "latency_mean_micros", any ? (double) window.latencyMicros() / window.operations() : null);
    row.put("latency_max_micros", any ? window.longestMicros() : null);
    return row;
  }

  private Map<String, @Nullable Object> row(String scope, @Nullable Long process, LaneResult of) {
    StorageCase what = item.of();
    LatencyHistogram latencies = of.latencies();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("case", what.name());
    row.put("scope", scope);
    row.put("process", process);
    row.put("repetition", (long) repetition);
    row.put("operation", what.operation().name().toLowerCase(Locale.ROOT));
    row.put("measure", what.measure().name().toLowerCase(Locale.ROOT));
    row.put("pattern", what.sequential() ? "sequential" : "random");
    row.put("processes", (long) item.processes());
    row.put("interval_micros", item.intervalMicros());
    row.put("depth", (long) item.depth());
    row.put("asked_operations_per_second", item.isOpen() ? item.ratePerSecond() : null);
    row.put("not_begun_operations", result.notBegun());
    row.put("begun_late_p50_micros", item.isOpen() ? of.delays().percentileMicros(50) : null);
    row.put("begun_late_p99_micros", item.isOpen() ? of.delays().percentileMicros(99) : null);
    Discarded discarded = result.discarded();
    row.put("warm_up", discarded == null ? null : discarded.why().word());
    row.put("warm_up_micros", discarded == null ? null : discarded.micros());
    row.put("warm_up_operations", discarded == null ? null : discarded.operations());
    row.put("block_bytes", blockBytes);
    row.put("operations", of.operations());
    row.put("verified_operations", of.verified());
    row.put("failures", of.failures());
    row.put("retries", of.retries());
    row.put("backoff_micros", of.backoffMicros());
    row.put("requests", of.requests());
    row.put("bytes", of.bytes());
    boolean any = of.operations() > 0;
    row.put("bytes_per_second", any ? of.bytesPerSecond() : null);
    row.put("wall_bytes_per_second", any ? of.wallBytesPerSecond() : null);
    row.put("operations_per_second", any ? of.operationsPerSecond() : null);
    row.put("latency_mean_micros", latencies.meanMicros());
    row.put("latency_p50_micros", latencies.percentileMicros(50));
    row.put("latency_p90_micros", latencies.percentileMicros(90));
    row.put("latency_p99_micros", latencies.percentileMicros(99));
    row.put("latency_p999_micros", latencies.percentileMicros(99.9));
    row.put("latency_max_micros", latencies.maxMicros());
    row.put("first_byte_p50_micros", of.firstBytes().percentileMicros(50));
    row.put("failure", of.failure() == null ? null : of.message());
    row.put("complete", !result.cancelled());
    return row;
  }

  /** One line for people. */
  String line() {
    LaneResult sum = result.sum();
    boolean any = sum.operations() > 0;
    String name = item.of().mix() == null ? item.of().name() : "mix";
    if (item.of().measure() == Measure.TRANSFER && item.intervalMicros() > 0) {
      name += " every " + Human.micros(item.intervalMicros());
    }
    return String.format(
        Locale.ROOT,
        "%-28s %3d %3d %11s %9s %9s %9s %7d %6d",
        name,
        item.processes() * Math.max(1, clients.size()),
        repetition,
        any && sum.bytes() > 0 ? rate(sum.bytesPerSecond()) : "-",
        any ? number(sum.operationsPerSecond()) : "-",
        any ? Human.micros((long) sum.latencies().percentileMicros(50)) : "-",
        any ? Human.micros((long) sum.latencies().percentileMicros(99)) : "-",
        sum.retries(),
        sum.failures());
  }

  private static String rate(double bytesPerSecond) {
    return Double.isNaN(bytesPerSecond) ? "-" : Human.byteRate(bytesPerSecond);
  }

  private List<String> ofClients() {
    List<String> lines = new ArrayList<>();
    for (ClientResult one : clients) {
      LaneResult of = one.result();
      lines.add(ofPart(one.name(), of, of.bytesPerSecond(), of.operationsPerSecond()));
    }
    long latest = clients.stream().mapToLong(ClientResult::lateMicros).max().orElse(0);
    long error = clients.stream().mapToLong(ClientResult::clockErrorMicros).max().orElse(0);
    lines.add(
        commonMicros > 0
            ? "    in common: "
                + Human.micros(commonMicros)
                + ", for which these rates are; the last began "
                + Human.micros(latest)
                + " late, clocks known to "
                + Human.micros(error)
            : "    nothing in common: one had ended before another began; give a larger --size");
    return lines;
  }

  private List<String> ofLoop() {
    List<String> lines = new ArrayList<>();
    Discarded discarded = result.discarded();
    if (discarded != null && discarded.why() != Discarded.Why.FIXED) {
      lines.add("    warm-up: " + discarded.words());
    }
    Mix mix = item.of().mix();
    if (mix != null) {
      lines.add("    " + mix.words());
      result
          .kinds()
          .forEach(
              (kind, of) ->
                  lines.add(
                      ofPart(kind, of, of.wallBytesPerSecond(), of.wallOperationsPerSecond())));
    }
    Long notBegun = result.notBegun();
    if (notBegun != null) {
      LatencyHistogram delays = result.sum().delays();
      lines.add(
          "    planned: "
              + number(item.ratePerSecond())
              + "/s, latencies from then; begun late by "
              + (delays.count() == 0
                  ? "-"
                  : Human.micros((long) delays.percentileMicros(50))
                      + " p50, "
                      + Human.micros((long) delays.percentileMicros(99))
                      + " p99")
              + (notBegun == 0 ? "" : "; " + notBegun + " never begun: no answer in time"));
    }
    return lines;
  }

  private static String ofPart(
      String name, LaneResult of, double bytesPerSecond, double operationsPerSecond) {
    boolean any = of.operations() > 0;
    return String.format(
        Locale.ROOT,
        "    %-24s %7s %11s %9s %9s %9s %7d %6d",
        name,
        "",
        any && of.bytes() > 0 ? Human.byteRate(bytesPerSecond) : "-",
        any ? number(operationsPerSecond) : "-",
        any ? Human.micros((long) of.latencies().percentileMicros(50)) : "-",
        any ? Human.micros((long) of.latencies().percentileMicros(99)) : "-",
        of.retries(),
        of.failures());
  }

  private static String number(double value) {
    return Double.isNaN(value)
        ? "-"
        : String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }

  /** What people want to know of several transfers; empty for a single one. */
  List<String> details() {
    if (item.of().measure() != Measure.TRANSFER) {
      List<String> lines = ofLoop();
      if (!clients.isEmpty()) {
        lines.addAll(ofClients());
      }
      return lines;
    }
    if (!clients.isEmpty()) {
      return ofClients();
    }
    if (item.processes() == 1) {
      return List.of();
    }
    StringBuilder speeds = new StringBuilder("    each:");
    for (int process = 0; process < item.processes(); process++) {
      LaneResult one = result.process(process);
      speeds.append(' ').append(one.operations() == 0 ? "-" : Human.byteRate(one.bytesPerSecond()));
    }
    double sum = LaneResult.sum(result.lanes()).bytesPerSecond();
    List<String> lines = new ArrayList<>();
    lines.add(speeds + "; the sum of these: " + Human.byteRate(sum));
    if (item.objectBytes() > 0) {
      lines.add("    of " + Human.bytes((double) item.objectBytes()) + " each, to overlap");
    }
    if (item.intervalMicros() > 0) {
      OptionalDouble advantage = Newcomers.advantage(result.transfers());
      lines.add(
          advantage.isPresent()
              ? String.format(Locale.ROOT, "    newcomers: %+.1f%%", 100 * advantage.getAsDouble())
              : "    newcomers: no two transfers overlapped for half a second;"
                  + " give a larger --size or a shorter --interval");
    }
    return lines;
  }
}
