package ebb.memory;

import ebb.core.units.Human;
import ebb.disk.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An outcome in words, at most 100 columns wide. It computes no figures. */
final class MemoryText {
  private static final String BLOCK_ROW = "%-8s %-10s %-5s %7s %14s %12s %12s";
  private static final String STREAM_ROW = "%-6s %7s %12s %12s %7s %12s";
  private static final String LATENCY_ROW = "%10s %10s";

  private MemoryText() {}

  static List<String> lines(MemoryOutcome outcome) {
    List<String> lines = new ArrayList<>();
    lines.add(setUp(outcome));
    lines.add(machine(outcome));
    lines.add("");
    add(lines, STREAM_ROW, streamColumns(), streamRows(outcome));
    lines.add("");
    add(lines, BLOCK_ROW, blockColumns(), blockRows(outcome));
    lines.add("");
    add(lines, LATENCY_ROW, latencyColumns(), latencyRows(outcome));
    List<String> notes = outcome.notes();
    if (!notes.isEmpty()) {
      lines.add("");
      notes.forEach(note -> Columns.wrap(lines, "note: ", note));
    }
    return lines;
  }

  static String setUp(MemoryOutcome outcome) {
    MemoryPlan plan = outcome.plan;
    return String.format(
        Locale.ROOT,
        "kernels over three arrays of %s, best of %d after the first; blocks in %s; %d round%s",
        Human.bytes((double) plan.streamBytes()),
        plan.repeats() - 1,
        Human.bytes((double) plan.areaBytes()),
        plan.rounds(),
        plan.rounds() == 1 ? "" : "s, medians");
  }

  static String machine(MemoryOutcome outcome) {
    MemoryFacts facts = outcome.facts;
    String cache =
        facts.lastLevelCacheBytes() == 0
            ? "unknown"
            : Human.bytes((double) facts.lastLevelCacheBytes());
    String theory =
        facts.modules() == 0
            ? "unknown (the firmware does not say)"
            : String.format(
                Locale.ROOT,
                "at most %s (%d modules)",
                Human.byteRate(facts.theoreticalBytesPerSecond()),
                facts.modules());
    return "last-level cache " + cache + "; theoretical bandwidth " + theory;
  }

  private static List<String> streamColumns() {
    return List.of("kernel", "threads", "ebb", "C, gcc -O3", "ratio", "of theory");
  }

  private static List<List<String>> streamRows(MemoryOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    outcome.streams.forEach(
        (threads, stream) -> {
          for (Kernels kernel : Kernels.values()) {
            rows.add(
                List.of(
                    kernel.name().toLowerCase(Locale.ROOT),
                    "" + threads,
                    Human.byteRate(stream.ebbMedian(kernel)),
                    Human.byteRate(stream.cMedian(kernel)),
                    ratio(stream.ratio(kernel)),
                    share(stream.ebbMedian(kernel), outcome.facts)));
          }
        });
    return rows;
  }

  private static List<String> blockColumns() {
    return List.of("block", "access", "op", "threads", "blocks/s", "bandwidth", "each takes");
  }

  private static List<List<String>> blockRows(MemoryOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (BlockCase what : outcome.blocks.keySet()) {
      double rate = outcome.blocksPerSecond(what);
      rows.add(
          List.of(
              block(what.blockBytes()),
              what.access(),
              what.operation(),
              "" + what.threads(),
              String.format(Locale.ROOT, "%.0f", rate),
              Human.byteRate(rate * what.blockBytes()),
              nanos(outcome.nanosPerBlock(what))));
    }
    return rows;
  }

  private static List<String> latencyColumns() {
    return List.of("area", "a load");
  }

  private static List<List<String>> latencyRows(MemoryOutcome outcome) {
    List<List<String>> rows = new ArrayList<>();
    for (PointerChase.Point point : outcome.latencies) {
      rows.add(List.of(Human.bytes((double) point.bytes()), nanos(point.nanos())));
    }
    return rows;
  }

  private static void add(
      List<String> lines, String row, List<String> columns, List<List<String>> rows) {
    lines.add(String.format(Locale.ROOT, row, columns.toArray()));
    rows.forEach(cells -> lines.add(String.format(Locale.ROOT, row, cells.toArray())));
  }

  private static String share(double value, MemoryFacts facts) {
    return facts.modules() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.1f%%", 100 * value / facts.theoreticalBytesPerSecond());
  }

  private static String ratio(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }

  static String block(int bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  static String nanos(double value) {
    if (!Double.isFinite(value)) {
      return "-";
    }
    return value < 99_950
        ? String.format(Locale.ROOT, value < 99.95 ? "%.2f ns" : "%.0f ns", value)
        : Human.micros(Math.round(value / 1e3));
  }
}
