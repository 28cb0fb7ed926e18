package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb vm demo}: its VMs are processes that run ebb.jar. A minute. */
@Tag("fake-gcs")
class VmDemoProcessTest {
  private static final long RUN_MILLIS = 300_000;

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

  @Test
  void aCloudThatIsServedIsReachedFromAnotherTerminal() throws Exception {
    Path plan = directory.resolve("plan.toml");
    Files.writeString(
        plan,
        """
        name = "second"
        image = "debian-cloud/debian-12"
        machine-type = "n2-standard-4"
        max-run = "5m"
        [[vm]]
        name = "a"
        zone = "europe-west1-b"
        [[vm]]
        name = "b"
        zone = "us-central1-a"
        [net]
        protocols = ["tcp"]
        time = "1s"
        round-trips = 5
        """);
    String state = directory.resolve("state").toString();
    Path out = directory.resolve("report");
    try (EbbProcess cloud =
        EbbProcess.start(directory, "vm", "demo", "--serve", "--state-dir", state)) {
      cloud.await(() -> cloud.err().contains("serving until Ctrl-C"));
      assertThat(demo("vm", "run", plan.toString(), "--state-dir", state, "--out", out.toString()))
          .contains("complete: ");
      assertThat(demo("vm", "list", "--state-dir", state)).contains("there are no VMs of Ebb's");
      assertThat(demo("vm", "firewall", "list", "--state-dir", state)).contains("there are no");
      assertThat(demo("vm", "check", plan.toString(), "--state-dir", state)).contains("8 vCPUs");
      cloud.interrupt();
      assertThat(cloud.exitCode()).as(cloud.err()).isZero();
    }
    assertThat(out.resolve("report.json")).content().contains("\"complete\":true");
    assertThat(directory.resolve("state/local/demo.json")).doesNotExist();
  }

  private String demo(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--endpoint", "demo"));
    Path logs = Files.createTempDirectory(directory, "logs");
    try (EbbProcess one = EbbProcess.start(logs, all.toArray(String[]::new))) {
      assertThat(one.endsWithin(RUN_MILLIS)).as(one.err()).isTrue();
      assertThat(one.exitCode()).as(one.err()).isZero();
      return one.out();
    }
  }
}
