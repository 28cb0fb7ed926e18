package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb vm run --provider local}: processes on loopback, everything else for real. */
class LocalRunProcessTest {
  static final String PLAN =
      """
      name = "pair"
      image = "debian-cloud/debian-12"
      machine-type = "n2-standard-2"
      max-run = "10m"

      [[vm]]
      name = "left"
      zone = "us-central1-a"

      [[vm]]
      name = "right"
      zone = "us-central1-a"

      [net]
      protocols = ["tcp", "ledbat"]
      time = "1s"
      """;

  private static final long MOST_MILLIS = 300_000;

  @TempDir private Path directory;

  private EbbProcess ebb(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of("vm"));
    all.addAll(List.of(words));
    all.addAll(List.of("--provider", "local", "--state-dir", state().toString()));
    return EbbProcess.start(directory, all.toArray(String[]::new));
  }

  private Path state() {
    return directory.resolve("state");
  }

  private Path out() {
    return directory.resolve("out");
  }

  private EbbProcess begin() throws IOException {
    Path plan = Files.writeString(directory.resolve("plan.toml"), PLAN);
    return ebb("run", plan.toString(), "--loopback", "--out", out().toString());
  }

  /** Waits until a run says this; several JVMs are started before that. */
  static void awaitWords(EbbProcess run, String words) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    while (!run.err().contains(words)) {
      assertThat(run.endsWithin(20) && !run.err().contains(words)).as(run.err()).isFalse();
      assertThat(System.nanoTime()).as(run.err()).isLessThan(end);
    }
  }

  /** Whatever a test that failed has left. */
  @AfterEach
  void removeAll() throws Exception {
    for (String run : runs()) {
      try (EbbProcess gc = ebb("gc", "--run", run, "--yes")) {
        gc.exitCode();
      }
    }
  }

  private List<String> runs() throws IOException {
    if (!Files.isDirectory(state())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(state())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json") && !name.startsWith("."))
          .map(name -> name.substring(0, name.length() - 5))
          .toList();
    }
  }

  private void assertCompleteAndGone() throws Exception {
    ResultRecord report =
        ResultRecord.fromJson(Files.readString(out().resolve("report.json")).strip());
    assertThat(report.warnings()).isEmpty();
    assertThat(report.complete()).isTrue();
    // There and back, and round trips, by two protocols.
    assertThat(report.rows()).hasSize(6);
    assertThat(report.rows())
        .allMatch(row -> ((Number) row.get("received_rate_bits_per_second")).doubleValue() > 0);
    assertThat(out().resolve("report.html")).content().contains("left", "right", "LEDBAT");
    assertThat(state().resolve("local").resolve("machines")).isEmptyDirectory();
    assertThat(state().resolve("local").resolve("store")).isEmptyDirectory();
  }

  @Test
  @Tag("long")
  void aPlanEndsInAReportAlsoWhenWhoRunsItIsKilledInBetween() throws Exception {
    try (EbbProcess first = begin()) {
      awaitWords(first, "left measures");
      first.kill();
    }
    assertThat(runs()).hasSize(1);
    try (EbbProcess second = ebb("run", "--resume", runs().get(0))) {
      assertThat(second.endsWithin(MOST_MILLIS)).as(second.err()).isTrue();
      assertThat(second.exitCode()).as(second.err()).isZero();
    }
    assertCompleteAndGone();
  }

  @Test
  void ctrlCDeletesEverything() throws Exception {
    try (EbbProcess run = begin()) {
      awaitWords(run, "left measures");
      run.interrupt();
      assertThat(run.endsWithin(MOST_MILLIS)).as(run.err()).isTrue();
      assertThat(run.exitCode()).as(run.err()).isEqualTo(5);
    }
    assertThat(state().resolve("local").resolve("machines")).isEmptyDirectory();
    assertThat(state().resolve("local").resolve("store")).isEmptyDirectory();
  }
}
