package ebb.vm.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of a disk or of memory, in the shape of the report that asked for them: a table for each
 * size, a row for each way to read and write, latency and throughput by one thread, two and so on.
 */
final class BlockTables {
  private static final String PART = "part";
  private static final String DISK = "disk";
  private static final String MEMORY = "memory";

  /**
   * What one row measured.
   *
   * @param nanos a block takes, the median of a run
   */
  private record Block(long bytes, String way, long threads, double nanos, double bytesPerSecond) {}

  private BlockTables() {}

  static void add(HtmlReport page, List<TaskResult> results) {
    for (TaskResult one : results) {
      List<Block> blocks = new ArrayList<>();
      for (Map<String, @Nullable Object> row : one.result().rows()) {
        if (PART.equals(row.get("scope"))) {
          continue; // Of one of the other rows.
        }
        if (one.isOf(DISK)) {
          blocks.add(
              block(
                  row,
                  TaskResult.text(row, "access")
                      + " "
                      + TaskResult.text(row, "operation")
                      + ", "
                      + TaskResult.text(row, "way"),
                  "latency_p50_nanos"));
        } else if (one.isOf(MEMORY) && row.get("block_nanos") != null) {
          blocks.add(block(row, TaskResult.text(row, "what").replace('_', ' '), "block_nanos"));
        }
      }
      if (blocks.stream().map(Block::bytes).distinct().count() > 1) {
        tables(page, one, blocks);
      }
    }
  }

  private static Block block(Map<String, @Nullable Object> row, String way, String nanos) {
    return new Block(
        (long) TaskResult.number(row, "block_bytes"),
        way,
        (long) TaskResult.number(row, "threads"),
        TaskResult.number(row, nanos),
        TaskResult.number(row, "bytes_per_second"));
  }

  private static void tables(HtmlReport page, TaskResult one, List<Block> blocks) {
    page.heading(one.who() + ": blocks by size");
    page.paragraph("Medians of the rounds; what several threads moved is added up.");
    Set<Long> threads = new TreeSet<>();
    Set<Long> sizes = new TreeSet<>();
    for (Block block : blocks) {
      threads.add(block.threads);
      sizes.add(block.bytes);
    }
    for (long size : sizes) {
      Table table = new Table().text("Blocks of " + size(size));
      threads.forEach(count -> table.number("Latency, " + threads(count), Unit.NANOS));
      threads.forEach(count -> table.number("Bandwidth, " + threads(count), Unit.BYTES_PER_SECOND));
      Set<String> ways = new LinkedHashSet<>();
      Map<String, List<Block>> measured = new LinkedHashMap<>();
      for (Block block : blocks) {
        if (block.bytes == size) {
          ways.add(block.way);
          measured.computeIfAbsent(block.way + block.threads, none -> new ArrayList<>()).add(block);
        }
      }
      for (String way : ways) {
        List<@Nullable Object> cells = new ArrayList<>(List.of(way));
        threads.forEach(count -> cells.add(median(measured.get(way + count), true)));
        threads.forEach(count -> cells.add(median(measured.get(way + count), false)));
        table.row(cells.toArray());
      }
      page.table(table);
    }
  }

  private static @Nullable Double median(@Nullable List<Block> rounds, boolean latency) {
    if (rounds == null) {
      return null;
    }
    double[] values =
        rounds.stream()
            .mapToDouble(round -> latency ? round.nanos : round.bytesPerSecond)
            .filter(Double::isFinite)
            .toArray();
    return values.length == 0 ? null : Summary.of(values).median();
  }

  private static String threads(long count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  /** Powers of 1024 by their names. */
  static String size(long bytes) {
    String[] names = {"B", "KiB", "MiB", "GiB"};
    int power = 0;
    long rest = bytes;
    while (power + 1 < names.length && rest >= 1_024 && rest % 1_024 == 0) {
      rest /= 1_024;
      power++;
    }
    return String.format(Locale.ROOT, "%d %s", rest, names[power]);
  }
}
