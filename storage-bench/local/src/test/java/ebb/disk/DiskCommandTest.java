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
  void aMixtureHasRowsForBothSidesAndFilesAreAddedUpOverTheTimeTheyShare() throws IOException {
    Path other = Files.createDirectory(dir.resolve("other"));
    List<String> options =
        List.of("--size=1Mi", "--block=4Ki", "--threads=2", "--access=random", "--read-share=70");
    List<String> words = new ArrayList<>(options);
    words.addAll(List.of(other.toString(), FAST, "--json"));
    Ended ended = ebb(dir, words.toArray(String[]::new));
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    assertThat(result.rows())
        .extracting(row -> row.get("scope") + " " + row.get("file") + " " + row.get("side"))
        .containsExactly(
            "case null null",
            "part null read",
            "part null write",
            "part " + dir + " null",
            "part " + dir + " read",
            "part " + dir + " write",
            "part " + other + " null",
            "part " + other + " read",
            "part " + other + " write");
    List<Long> requests = result.rows().stream().map(row -> (Long) row.get("requests")).toList();
    assertThat(requests.get(1) + requests.get(2)).isEqualTo(requests.get(0));
    assertThat(requests.get(3) + requests.get(6)).isEqualTo(requests.get(0));
    assertThat(requests.get(4) + requests.get(7)).isEqualTo(requests.get(1));
    assertThat(Files.list(other)).isEmpty();
    words.remove("--json");
    ended = ebb(dir, words.toArray(String[]::new));
    assertThat(ended.out()).contains("mixed: each request is a read with a chance of 70%");
    assertThat(ended.out().lines().filter(line -> line.startsWith("  ") && line.contains("B/s")))
        .hasSize(8);
  }

  @Test
  void aFileThatIsThereIsReadAndStaysAsItWas() throws IOException {
    byte[] content = new byte[100_000];
    Path file = Files.write(dir.resolve("there"), content);
    Ended ended = ebb(file, "--block=4Ki", "--threads=1", FAST, "--json");
    assertThat(ended.code()).as(ended.err()).isZero();
    ResultRecord result = ResultRecord.fromJson(ended.out());
    assertThat(result.rows()).allMatch(row -> "read".equals(row.get("operation")));
    assertThat(result.figures().get("file_bytes").doubleValue()).isEqualTo(100_000);
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
    refused(ExitCode.USAGE, "is only read", file, "--op=write");
    refused(ExitCode.USAGE, "is only read", file, "--read-share=50");
    refused(ExitCode.USAGE, "has 100 kB only", file, "--size=200000", "--block=4Ki");
    refused(ExitCode.USAGE, "--files is for directories", file, "--files=2");
    refused(ExitCode.USAGE, "not both in one run", file, dir.toString());
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    refused(ExitCode.USAGE, "are the same", file, link.toString(), "--block=4Ki");
    refused(ExitCode.USAGE, "no directory, file or block device", Path.of("/dev/null"));
  }

  @Test
  void placesThatCannotGoTogetherAreRefusedAndNothingIsLeft() throws IOException {
    refused(ExitCode.USAGE, "is named twice", dir, dir.toString());
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir);
    refused(ExitCode.USAGE, "are the same", dir, link.toString());
    refused(ExitCode.USAGE, "there is no directory", dir, dir.resolve("none").toString());
    refused(ExitCode.USAGE, "--files must be 1 to 64", dir, "--files=65");
    refused(ExitCode.USAGE, "of all files together", dir, "--files=2", "--threads=600");
    long free = Files.getFileStore(dir).getUsableSpace();
    refused(ExitCode.REFUSED_OR_BUSY, "2 files of", dir, "--files=2", "--size=" + free / 4 * 3);
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
    refused(ExitCode.USAGE, "--read-share must be 1 to 99", dir, "--read-share=0");
    refused(ExitCode.USAGE, "--read-share must be 1 to 99", dir, "--read-share=100");
    refused(ExitCode.USAGE, "is of --op mixed", dir, "--op=read", "--read-share=50");
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
    refused(ExitCode.USAGE, "is too small for 1 thread", file, "--threads=1");
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
            List.of(dir),
            1,
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
            1,
            50);
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
