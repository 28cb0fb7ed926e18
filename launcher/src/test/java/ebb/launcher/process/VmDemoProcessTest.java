package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb vm demo}: its VMs are processes that run ebb.jar. Half a minute. */
@Tag("fake-gcs")
class VmDemoProcessTest {
  @TempDir private Path directory;

  @Test
  void theTourRunsAPlanAndLeavesNothing() throws Exception {
    Path out = directory.resolve("out");
    try (EbbProcess demo = EbbProcess.start(directory, "vm", "demo", "--out", out.toString())) {
      assertThat(demo.exitCode()).as(demo.err()).isZero();
      assertThat(demo.out())
          .contains(
              "VM one in europe-west1-b is running", "complete: ", "there are no VMs of Ebb's");
    }
    ResultRecord report =
        ResultRecord.fromJson(Files.readString(out.resolve("report/report.json")).strip());
    assertThat(report.complete()).isTrue();
    assertThat(report.rows())
        .anyMatch(row -> "a".equals(row.get("from")) && "b".equals(row.get("to")));
    assertThat(out.resolve("report/results/b/objects.json")).content().contains("upload");
  }
}
