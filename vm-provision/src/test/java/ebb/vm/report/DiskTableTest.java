package ebb.vm.report;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.vm.plan.Plan;
import ebb.vm.plan.PlanFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plan of report 000's table 5 ends in a table with its rows and columns. */
class DiskTableTest {
  private static final Path PLAN =
      Path.of("..", "docs", "examples", "vm-plans", "disks-by-size.toml");

  @TempDir private Path directory;

  private static ResultRecord result(long block, double perSecond) {
    return ResultRecord.of("disk")
        .row(row(block, perSecond, "direct"))
        .row(row(block, 9 * perSecond, "page cache"))
        .build(true, 0);
  }

  private static Map<String, Object> row(long block, double perSecond, String way) {
    return Map.of(
        "block_bytes",
        block,
        "access",
        "random",
        "operation",
        "read",
        "way",
        way,
        "requests_per_second",
        perSecond,
        "bytes_per_second",
        perSecond * block);
  }

  private String page(boolean here, TaskResult... results) throws Exception {
    Plan plan = PlanFile.read(PLAN);
    HtmlReport page = new HtmlReport("Run");
    DiskTable.add(page, plan, here, List.of(results));
    Path file = directory.resolve("page.html");
    page.writeTo(file);
    return Files.readString(file).replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
  }

  @Test
  void tasksOfOneDiskShareAColumnAndThePageCacheIsLeftOut() throws Exception {
    String page =
        page(
            false,
            new TaskResult("ssd-500-16", "iops", result(4_096, 15_000)),
            new TaskResult("ssd-500-16", "bandwidth", result(1_048_576, 240)),
            new TaskResult("ssd-834-32", "iops", result(4_096, 25_000)));
    assertThat(page)
        .contains(
            "ssd-500-16, ssd: 500 GB pd-ssd, n2-standard-16"
                + " ssd-834-32, ssd: 834 GB pd-ssd, n2-standard-32")
        .contains("Random read IOPS 15000 25000")
        .contains("Random read bandwidth 252 MB/s -")
        .contains("Expected: Random read IOPS 15000 25020")
        .contains("Expected: Random read bandwidth 252 MB/s 420 MB/s");
  }

  @Test
  void onOneMachineTheDiskIsNotThePlans() throws Exception {
    assertThat(page(true, new TaskResult("ssd-500-16", "iops", result(4_096, 10))))
        .contains("ssd-500-16, ssd (this machine&#39;s disk)")
        .doesNotContain("pd-ssd")
        .doesNotContain("Expected");
  }

  @Test
  void withoutTaskResultDisksThereIsNoTable() throws Exception {
    assertThat(page(false)).doesNotContain("Disks");
  }
}
