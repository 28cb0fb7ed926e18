package ebb.storage.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.Table;
import ebb.core.report.Unit;
import ebb.core.result.ResultRecord;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What each of several clients did in each repetition, and where all of them have no rate. */
final class ClientTable {
  private ClientTable() {}

  /**
   * Adds it, if there were several.
   *
   * @param before begins its heading
   */
  static void add(HtmlReport page, String before, List<ResultRecord> records) {
    Set<String> apart = new LinkedHashSet<>();
    Table table =
        new Table()
            .text("Case")
            .number("Repetition", Unit.COUNT)
            .text("Client")
            .number("Bandwidth", Unit.BYTES_PER_SECOND)
            .number("Operations", Unit.PER_SECOND)
            .number("Latency, median", Unit.MICROS)
            .number("Begun late", Unit.MICROS)
            .number("Its clock shows more", Unit.MICROS)
            .number("known to", Unit.MICROS);
    for (ResultRecord record : records) {
      for (Map<String, @Nullable Object> row : record.rows()) {
        if ("client".equals(row.get("scope"))) {
          table.row(
              row.get("case"),
              row.get("repetition"),
              row.get("client"),
              row.get("bytes_per_second"),
              row.get("operations_per_second"),
              row.get("latency_p50_micros"),
              row.get("begun_late_micros"),
              row.get("clock_micros"),
              row.get("clock_error_micros"));
        } else if ("case".equals(row.get("scope"))
            && row.get("common_micros") instanceof Number common
            && common.longValue() == 0) {
          apart.add(row.get("case") + ", repetition " + row.get("repetition"));
        }
      }
    }
    if (!table.isEmpty()) {
      page.heading(before + "Clients");
      page.paragraph(
          "Each client's rate in the time that all have in common; together they are the case's.");
      if (!apart.isEmpty()) {
        page.warning(
            "Clients had no time in common, so that there is no rate of all together; it takes longer"
                + " cases or larger objects: "
                + String.join("; ", apart));
      }
      page.table(table);
    }
  }
}
