package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb disk} as a process that is told to stop, or runs out of space half-way. */
class DiskProcessTest {
  private static final long FILE_BYTES = 1 << 20;

  @TempDir Path dir;
  @TempDir Path logs;

  /** Ends a process early. */
  @FunctionalInterface
  private interface Ending {
    void end(EbbProcess process) throws Exception;
  }

  private void ended(Ending ending) throws Exception {
    try (EbbProcess disk =
        EbbProcess.start(
            logs, "disk", dir.toString(), "--size=1Mi", "--block=4Ki", "--time=1h", "--json")) {
      disk.await(() -> dirBytes() == FILE_BYTES);
      ending.end(disk);
      assertThat(disk.exitCode()).as(disk.err()).isEqualTo(5);
      assertThat(disk.json()).containsEntry("complete", false).containsEntry("exit_code", 5);
      assertThat(disk.err()).contains("incomplete: the run was interrupted");
    }
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void anInterruptedRunRemovesItsFileAndSaysWhatThereIs() throws Exception {
    ended(EbbProcess::interrupt);
  }

  @Test
  void aTerminatedRunDoesTheSame() throws Exception {
    ended(process -> process.signal("TERM"));
  }

  @Test
  void aFileThatCannotBeWrittenInFullIsRefusedAndRemoved() throws Exception {
    // No file of this process may be larger than 2,048 blocks of 512 bytes.
    try (EbbProcess disk =
        EbbProcess.start(
            logs,
            java.util.List.of("sh", "-c", "ulimit -f 2048 && exec \"$@\"", "sh"),
            null,
            "disk",
            dir.toString(),
            "--size=64Mi")) {
      assertThat(disk.exitCode()).as(disk.err()).isEqualTo(4);
      assertThat(disk.errLine()).startsWith("ebb: cannot write the file of 67.1 MB");
      assertThat(disk.out()).isEmpty();
    }
    assertThat(dir).isEmptyDirectory();
  }

  private long dirBytes() {
    try (Stream<Path> files = Files.list(dir)) {
      long sum = 0;
      for (Path file : files.toList()) {
        sum += Files.size(file);
      }
      return sum;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
