package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each plan of docs/examples/vm-plans, made small, from the plan to its report on this machine: a
 * plan whose commands do not run, or whose report lacks them, is found. About ten minutes.
 */
@Tag("seed-plans")
class SeedPlansProcessTest {
  private static final Path PLANS = Path.of("..", "docs", "examples", "vm-plans");
  private static final long MOST_MILLIS = 900_000;

  @TempDir private Path directory;

  static List<String> plans() throws IOException {
    try (Stream<Path> files = Files.list(PLANS)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("plans")
  void runsOnThisMachineToACompleteReport(String plan) throws Exception {
    Path out = directory.resolve("out");
    Path state = directory.resolve("state");
    try (EbbProcess run =
        EbbProcess.start(
            directory,
            "vm",
            "run",
            PLANS.resolve(plan).toAbsolutePath().toString(),
            "--small",
            "--provider",
            "local",
            "--loopback",
            "--state-dir",
            state.toString(),
            "--out",
            out.toString())) {
      assertThat(run.endsWithin(MOST_MILLIS)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(report(out) + run.err()).isZero();
    }
    ResultRecord report = ResultRecord.fromJson(report(out).strip());
    assertThat(report.complete()).isTrue();
    assertThat(report.figures().get("tasks_done")).isEqualTo(report.figures().get("tasks"));
    assertThat(report.warnings().get(0)).contains("say nothing of speed");
    assertThat(Files.readString(out.resolve("report.html"))).doesNotContain("Not done");
    assertThat(state.resolve("local").resolve("machines")).isEmptyDirectory();
    assertThat(state.resolve("local").resolve("store")).isEmptyDirectory();
  }

  private static String report(Path out) throws IOException {
    Path json = out.resolve("report.json");
    return Files.exists(json) ? Files.readString(json) : "";
  }
}
