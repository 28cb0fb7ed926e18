package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
  void aVmThatDiesInBetweenLeavesTheResultsOfTheOthers() throws Exception {
    Path plan = Files.writeString(directory.resolve("plan.toml"), LocalRunProcessTest.PLAN + LINK);
    try (EbbProcess run = run(plan)) {
      LocalRunProcessTest.awaitWords(run, "right measures");
      kill("right");
      assertThat(run.endsWithin(240_000)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(run.err()).isEqualTo(5);
    }
    assertNothingIsLeft();
    assertThat(report().complete()).isFalse();
    assertThat(report().warnings()).anyMatch(line -> line.startsWith("incomplete: VM right: "));
    // What the other one had measured before, no faster than the link.
    List<Double> rates =
        report().rows().stream()
            .filter(row -> "left".equals(row.get("from")))
            .map(row -> ((Number) row.get("received_rate_bits_per_second")).doubleValue())
            .toList();
    assertThat(rates).hasSize(2).allMatch(rate -> rate > 0 && rate < 20e6);
    assertThat(directory.resolve("out").resolve("report.html"))
        .content()
        .contains("The end of right", "serial console", "ebb-step");
  }

  /** Ends a machine: its first process, without which it counts as switched off. */
  private void kill(String name) throws Exception {
    Path machines = directory.resolve("state").resolve("local").resolve("machines");
    try (Stream<Path> all = Files.list(machines)) {
      Path machine =
          all.filter(one -> one.getFileName().toString().endsWith("-" + name))
              .findFirst()
              .orElseThrow();
      String pid = Files.readString(machine.resolve("pid")).strip();
      assertThat(new ProcessBuilder("kill", "-KILL", pid).start().waitFor()).isZero();
    }
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
    // Six machines, thirty paths, two protocols.
    assertThat(report().rows()).hasSize(60);
  }
}
