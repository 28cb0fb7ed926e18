package ebb.vm.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Single runs over the network, one row each, so that they can be held beside one another. */
final class ClientTable {
  private static final String COMMAND = "net client";
  private static final String RECEIVED = "received_rate_bits_per_second";

  private ClientTable() {}

  static void add(HtmlReport page, List<TaskResult> results) {
    Table table =
        new Table()
            .text("Task")
            .text("Protocol")
            .text("Direction")
            .number("Streams", Unit.COUNT)
            .number("Received, all streams", Unit.BITS_PER_SECOND)
            .number("Loss", Unit.RATIO)
            .number("Jitter", Unit.MICROS)
            .number("Out of order", Unit.COUNT);
    for (TaskResult one : results) {
      if (one.isOf(COMMAND)) {
        Map<String, @Nullable Number> figures = one.result().figures();
        for (String way : List.of("up", "down")) {
          if (figures.containsKey(way + "_" + RECEIVED)) {
            table.row(
                one.who(),
                one.result().facts().getOrDefault("protocol", ""),
                way,
                figures.get("streams"),
                figures.get(way + "_" + RECEIVED),
                figures.get(way + "_loss_ratio"),
                figures.get(way + "_jitter_micros"),
                figures.get(way + "_out_of_order_messages"));
          }
        }
      }
    }
    if (!table.isEmpty()) {
      page.heading("Single runs");
      page.table(table);
    }
  }
}
