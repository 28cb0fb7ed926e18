package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ebb vm run --provider local} in network namespaces, with the links of a plan. Without root
 * it is skipped and says so.
 */
final class RunOnLinksTest {
  private static final String LINK =
      """

      [[link]]
      between = ["us-central1-a", "us-central1-a"]
      rate = "20M"
      delay = "20ms"
      buffer = "100ms"
      """;

  @TempDir private Path directory;

  @BeforeEach
  void skipWithoutRoot() throws Exception {
    Process probe = new ProcessBuilder("sh", "-c", "test $(id -u) = 0 && ip netns").start();
    if (probe.waitFor() != 0 || !Files.exists(Path.of("/dev/net/tun"))) {
      String skipped = "skipped: runs on links because there are no network namespaces here";
      System.out.println(skipped);
      Assumptions.abort(skipped);
    }
  }

  private EbbProcess run(Path plan) throws Exception {
    return EbbProcess.start(
        directory,
        "vm",
        "run",
        plan.toString(),
        "--provider",
        "local",
        "--state-dir",
        directory.resolve("state").toString(),
        "--out",
        directory.resolve("out").toString());
  }

  private ResultRecord report() throws Exception {
    return ResultRecord.fromJson(
        Files.readString(directory.resolve("out").resolve("report.json")).strip());
  }

  private void assertNothingIsLeft() {
    Path local = directory.resolve("state").resolve("local");
    assertThat(local.resolve("machines")).isEmptyDirectory();
    assertThat(local.resolve("store")).isEmptyDirectory();
    assertThat(local.resolve("rules")).isEmptyDirectory();
  }

  @Tag("real-link")
  @Test
  void aVmThatDiesLeavesWhatItHadMeasured() throws Exception {
    String text = LocalRunProcessTest.PLAN.replace("time = \"1s\"", "time = \"3s\"") + LINK;
    Path plan = Files.writeString(directory.resolve("plan.toml"), text);
    try (EbbProcess run = run(plan)) {
      LocalRunProcessTest.awaitWords(run, "left measures");
      awaitStream("left");
      kill("left");
      assertThat(run.endsWithin(240_000)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(run.err()).isEqualTo(5);
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isFalse();
    assertThat(report().warnings()).anyMatch(line -> line.startsWith("incomplete: VM left: "));
    // Whatever it had measured, no faster than the link.
    List<Double> rates = rates(report(), "left", "right");
    rates.addAll(rates(report(), "right", "left"));
    assertThat(rates).isNotEmpty().allMatch(rate -> rate > 0 && rate < 20e6);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("The end of left", "serial console", "ebb-step");
  }

  private static List<Double> rates(ResultRecord report, String from, String to) {
    return values(report, from, to, "streaming", "received_rate_bits_per_second");
  }

  private static List<Double> values(
      ResultRecord report, String from, String to, String mode, String figure) {
    return new ArrayList<>(
        report.rows().stream()
            .filter(row -> from.equals(row.get("from")) && to.equals(row.get("to")))
            .filter(row -> mode.equals(row.get("mode")))
            .map(row -> ((Number) row.get(figure)).doubleValue())
            .toList());
  }

  /** Until a machine has kept the first stream that it has measured. */
  private void awaitStream(String name) throws Exception {
    Path store = directory.resolve("state").resolve("local").resolve("store");
    Process waiting =
        new ProcessBuilder(
                "bash",
                "-c",
                "until grep -qs '\"streaming\"' \"$0\"/*/results/$1/net/so-far.json;"
                    + " do sleep 0.05; done",
                store.toString(),
                name)
            .start();
    try {
      assertThat(waiting.waitFor(240, TimeUnit.SECONDS)).isTrue();
    } finally {
      waiting.destroyForcibly();
    }
  }

  /** Ends all processes of a machine at once. */
  private void kill(String name) throws Exception {
    Path machines = directory.resolve("state").resolve("local").resolve("machines");
    try (Stream<Path> all = Files.list(machines)) {
      Path machine =
          all.filter(one -> one.getFileName().toString().endsWith("-" + name))
              .findFirst()
              .orElseThrow();
      String words =
          "space=$(sed 's/.*\"namespace\":\"\\([^\"]*\\)\".*/\\1/' \"$0/vm.json\");"
              + " kill -KILL $(cat \"$0/pid\") $(ip netns pids \"$space\")";
      assertThat(new ProcessBuilder("bash", "-c", words, machine.toString()).start().waitFor())
          .isZero();
    }
  }

  private static Path threeRegions() {
    return Path.of("..", "docs", "examples", "three-regions.toml").toAbsolutePath();
  }

  /** The example with one machine in each region: three pairs. */
  @Tag("real-link")
  @Test
  void oneMachineInEachRegionEndsInAReport() throws Exception {
    String text = Files.readString(threeRegions());
    assertThat(text).contains("count = 2\n", "time = \"2s\"\n");
    Path plan =
        Files.writeString(
            directory.resolve("plan.toml"),
            text.replace("count = 2\n", "count = 1\n").replace("\"2s\"", "\"1s\""));
    try (EbbProcess run = run(plan)) {
      assertThat(run.endsWithin(300_000)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(run.err()).isZero();
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isTrue();
    // Of each pair both ways and the round trip, by two protocols.
    assertThat(report().rows()).hasSize(18);
    assertPair("us-1", "eu-1", 100_000, 100e6);
    assertPair("us-1", "asia-1", 150_000, 50e6);
    assertPair("eu-1", "asia-1", 240_000, 50e6);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("Between 3 hosts", "us-1: memory");
  }

  /** What the example's link allows: twice its delay at least, its rate at most. */
  private void assertPair(String one, String other, double roundTripMicros, double bitsPerSecond)
      throws Exception {
    assertThat(values(report(), one, other, "stop-and-wait", "round_trip_p50_micros"))
        .hasSize(2)
        .allMatch(micros -> micros >= roundTripMicros);
    List<Double> rates = rates(report(), one, other);
    rates.addAll(rates(report(), other, one));
    assertThat(rates).hasSize(4).allMatch(rate -> rate > 0 && rate < bitsPerSecond);
  }

  /** Takes four minutes and more, so CI leaves it out. */
  @Tag("three-regions")
  @Test
  void threeRegionsEndInAReport() throws Exception {
    Path plan = Path.of("..", "docs", "examples", "three-regions.toml").toAbsolutePath();
    try (EbbProcess run = run(plan)) {
      assertThat(run.endsWithin(900_000)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(run.err()).isZero();
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isTrue();
    // Fifteen pairs, both ways and the round trip, two protocols.
    assertThat(report().rows()).hasSize(90);
  }
}
