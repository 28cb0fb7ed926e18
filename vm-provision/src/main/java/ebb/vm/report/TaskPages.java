package ebb.vm.report;

import ebb.core.report.HtmlReport;
import ebb.core.report.RowTable;
import ebb.core.result.ResultRecord;
import ebb.storage.report.StorageReport;
import ebb.vm.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a run found, by what they measured: disks, blocks of disk and memory, storage,
 * sweeps and single runs over the network, and all figures of the rest. It owns which part shows
 * which result.
 */
public final class TaskPages {
  private static final String STORAGE = "storage run";
  private static final String REGION = "region";

  private TaskPages() {}

  /**
   * Adds them to a page.
   *
   * @param here whether all VMs were on this machine, whatever disks the plan asks for
   */
  public static void add(HtmlReport page, Plan plan, boolean here, List<TaskResult> results) {
    DiskTable.add(page, plan, here, results);
    BlockTables.add(page, results);
    storage(page, results);
    SweepTables.add(page, results);
    ClientTable.add(page, results);
    for (TaskResult one : results) {
      if (!one.isOf(STORAGE)) {
        figures(page, one);
      }
    }
  }

  /** All storage tasks as one report; what says no region was measured where its VM is. */
  private static void storage(HtmlReport page, List<TaskResult> results) {
    List<TaskResult> stored = results.stream().filter(one -> one.isOf(STORAGE)).toList();
    boolean sameTask = stored.stream().map(TaskResult::task).distinct().count() == 1;
    List<ResultRecord> records = new ArrayList<>();
    for (TaskResult one : stored) {
      // Who measured together has one result, which is at the one that coordinated.
      String together = one.result().facts().get("clients");
      String vm = together == null ? one.vm() : together + " VMs together";
      records.add(placed(one.result(), sameTask ? vm : vm + ", " + one.task()));
    }
    StorageReport report = new StorageReport(records, List.of());
    if (!report.isEmpty()) {
      report.addTo(page, "Storage");
    }
  }

  private static ResultRecord placed(ResultRecord record, String place) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Map<String, @Nullable Object> row : record.rows()) {
      Map<String, @Nullable Object> with = new LinkedHashMap<>(row);
      if (TaskResult.text(row, REGION).isEmpty()) {
        with.put(REGION, place);
      }
      rows.add(with);
    }
    Map<String, String> facts = new LinkedHashMap<>(record.facts());
    facts.merge(REGION, place, (said, vm) -> said.isEmpty() ? vm : said);
    return new ResultRecord(
        record.schema(),
        record.command(),
        record.started(),
        record.durationMicros(),
        record.complete(),
        record.exitCode(),
        record.figures(),
        facts,
        rows,
        record.warnings(),
        record.environment());
  }

  private static void figures(HtmlReport page, TaskResult one) {
    page.heading(one.vm() + ": " + one.task());
    one.result().warnings().forEach(page::warning);
    RowTable.add(page, one.vm() + "-" + one.task(), one.result().rows());
    Map<String, String> figures = new LinkedHashMap<>();
    one.result()
        .figures()
        .forEach(
            (name, value) ->
                figures.put(
                    RowTable.words(name),
                    value == null ? "not known" : RowTable.text(name, value)));
    page.facts("All figures", figures);
  }
}
