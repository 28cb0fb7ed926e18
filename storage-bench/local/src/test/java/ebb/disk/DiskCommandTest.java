package ebb.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ebb.core.cli.CommandRunner;
import ebb.core.cli.CommandRunner.Ended;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb disk} on small files: what it says and what it refuses, never how fast. */
class DiskCommandTest {
  private static final String FAST = "--time=20ms";

  @TempDir Path dir;

  private Ended ebb(Path where, String... options) {
    List<String> words = new ArrayList<>(List.of("disk", where.toString(), "--warm-up=0"));
    words.addAll(Arrays.asList(options));
    return CommandRunner.run(new DiskCommand(), words.toArray(String[]::new));
  }

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(".ebb-disk"));
    }
  }

  private void refused(ExitCode code, String word, Path where, String... options) {
    Ended ended = ebb(where, options);
    assertThat(ended.code()).as(word + ": " + ended.err()).isEqualTo(code.value());
    assertThat(ended.err()).contains(word);
    assertThat(ended.err().lines().filter(line -> line.startsWith("ebb: "))).hasSize(1);
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void everyCaseHasARowAndSaysWhichWayItWent() {
    Ended ended =
        ebb(dir, "--size=2Mi", "--block=1,64Ki", "--threads=1,2", "--io=both", FAST, "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    assertThat(result.complete()).isTrue();
    assertThat(result.command()).isEqualTo("disk");
    long direct = result.rows().stream().filter(row -> "direct".equals(row.get("way"))).count();
    // 2 blocks x 2 accesses x 2 operations x 2 threads through the cache; 64 KiB directly, too,
    // where the file system can.
    assertThat(result.rows().size() - direct).isEqualTo(16);
    assertThat(direct).isIn(0L, 8L);
    assertThat(result.rows())
        .allSatisfy(
            row -> {
              long requests = (Long) row.get("requests");
              double seconds = (Double) row.get("seconds");
              long block = (Long) row.get("block_bytes");
              assertThat(seconds).isGreaterThanOrEqualTo(0.02);
              assertThat((Double) row.get("bytes_per_second"))
                  .isEqualTo(requests / seconds * block);
            });
  }

  @Test
  void theTableIsForPeopleAndThePageStandsAlone() throws IOException {
    Path page = dir.resolve("disk.html");
    Ended ended = ebb(dir, "--size=1Mi", "--block=4Ki", "--threads=1", FAST, "--plot=" + page);
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out()).contains("written in full", "random", "sequential", "Page: " + page);
    assertThat(ended.out().lines().filter(line -> !line.contains(dir.toString())))
        .allMatch(line -> line.length() <= 100);
    assertThat(Files.readString(page)).contains("<figure class=\"chart\">");
  }

  @Test
  void aRateBoundsTheRequests() {
    Ended ended =
        ebb(
            dir,
            "--size=1Mi",
            "--block=4Ki",
            "--threads=2",
            "--op=read",
            "--access=random",
            "--rate=1000",
            "--time=100ms",
            "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    long requests = (Long) result.rows().get(0).get("requests");
    long unsent = (Long) result.rows().get(0).get("unsent_requests");
    // Two threads, 50 requests each, the second half an interval later.
    assertThat(requests + unsent).isEqualTo(100);
    assertThat(result.facts()).containsEntry("latency", "from due time");
  }

  @Test
  void numbersThatCannotBeAreUsageErrors() {
    refused(ExitCode.USAGE, "--threads must be 1", dir, "--threads=0");
    refused(ExitCode.USAGE, "--threads must be 1", dir, "--threads=1,-1");
    refused(ExitCode.USAGE, "--size must be at least 1", dir, "--size=0");
    refused(ExitCode.USAGE, "--block must be 1 byte", dir, "--block=0");
    refused(ExitCode.USAGE, "--block must be 1 byte", dir, "--block=100G");
    refused(ExitCode.USAGE, "is too small for 4 threads", dir, "--size=1Mi", "--block=1Mi");
    refused(ExitCode.USAGE, "--time must be at least 10 ms", dir, "--time=0");
    refused(ExitCode.USAGE, "--rounds must be 1", dir, "--rounds=0");
    refused(ExitCode.USAGE, "--rate must be above 0", dir, "--rate=0");
    refused(ExitCode.USAGE, "--rate must be above 0", dir, "--rate=NaN");
    refused(ExitCode.USAGE, "exclude each other", dir, "--rate=5", "--compare-fio");
    refused(ExitCode.USAGE, "knows blocks-in-100mb only", dir, "--preset=nosuch");
    refused(ExitCode.USAGE, "cannot write", dir, "--plot=" + dir.resolve("none/p.html"));
  }

  @Test
  void aDirectoryThatCannotHoldTheFileIsRefused() throws IOException {
    refused(ExitCode.USAGE, "there is no directory", dir.resolve("none"));
    Path file = Files.writeString(dir.resolve("file"), "x");
    refused(ExitCode.USAGE, "there is no directory", file);
    refused(ExitCode.REFUSED_OR_BUSY, "does not fit", dir, "--size=8000000T");
  }

  @Test
  void aDirectoryWithoutPermissionIsRefused() {
    // Not even root may make files there.
    Path forbidden = Path.of("/sys");
    if (!Files.isDirectory(forbidden)) {
      System.err.println("skipped: a directory without permission, because there is no /sys");
      assumeTrue(false);
    }
    refused(ExitCode.REFUSED_OR_BUSY, "cannot make a file in /sys: ", forbidden);
  }

  @Test
  void aFileSystemInMemoryHasNoDirectIoWhateverTheKernelSays() throws IOException {
    Path shm = Path.of("/dev/shm");
    if (!Files.isWritable(shm) || !Files.getFileStore(shm).type().equals("tmpfs")) {
      System.err.println("skipped: ebb disk on tmpfs, because /dev/shm is not one");
      assumeTrue(false);
    }
    Path where = Files.createTempDirectory(shm, "ebb-disk-test");
    try {
      refused(ExitCode.REFUSED_OR_BUSY, "no direct I/O", where, "--size=8Mi", "--io=direct");
      Ended ended = ebb(where, "--size=1Mi", "--block=4Ki", "--threads=1", FAST, "--json");
      assertThat(ended.code()).as(ended.err()).isZero();
      ResultRecord result = ResultRecord.fromJson(ended.out());
      assertThat(result.facts()).containsEntry("way", "memory");
      assertThat(result.warnings()).anyMatch(warning -> warning.contains("no disk was measured"));
      try (Stream<Path> files = Files.list(where)) {
        assertThat(files).isEmpty();
      }
    } finally {
      Files.delete(where);
    }
  }

  @Test
  void aRunThatIsInterruptedLeavesNothingAndSaysSo() throws Exception {
    DiskPlan plan =
        new DiskPlan(
            dir,
            1 << 20,
            DiskPlan.Io.CACHE,
            List.of(DiskCase.Access.RANDOM),
            List.of(DiskCase.Operation.READ),
            List.of(4_096),
            List.of(1, 2),
            0,
            3_600_000_000L,
            DiskPlan.Fsync.END,
            0,
            1,
            1);
    DiskRun run = new DiskRun(plan, null);
    DiskOutcome outcome =
        run.measure(
            line -> {
              if (line.startsWith("1 of 2")) {
                run.interrupt();
              }
            });
    assertThat(outcome.complete()).isFalse();
    assertThat(outcome.results()).isEmpty();
    assertThat(outcome.notes()).anyMatch(note -> note.startsWith("incomplete"));
  }
}
