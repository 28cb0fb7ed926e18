package ebb.net.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import ebb.net.load.LoadRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a page that tells what became of marks (DSCP, ECN) on the way. */
final class MarksSection {
  private MarksSection() {}

  /** Adds the sentences, and a table where the result has rows of marks; nothing without either. */
  static void add(HtmlReport page, ResultRecord result) {
    List<String> told =
        result.facts().entrySet().stream()
            .filter(fact -> fact.getKey().matches("marks_\\d+"))
            .map(Map.Entry::getValue)
            .toList();
    List<Map<String, @Nullable Object>> rows =
        result.rows().stream().filter(row -> row.get(LoadRecord.MARK) != null).toList();
    if (told.isEmpty() && rows.isEmpty()) {
      return;
    }
    page.heading("Marks on the way");
    told.forEach(words -> page.paragraph(words + "."));
    if (rows.isEmpty()) {
      return;
    }
    Table table =
        new Table()
            .text("Mark")
            .number("Sent", Unit.COUNT)
            .number("Answered", Unit.COUNT)
            .text("Came there as")
            .text("Came back as");
    for (Map<String, @Nullable Object> row : rows) {
      table.row(
          row.get(LoadRecord.MARK),
          row.get("mark_sent"),
          row.get("mark_answered"),
          row.get("came_there_as"),
          row.get("came_back_as"));
    }
    page.table(table);
  }
}
