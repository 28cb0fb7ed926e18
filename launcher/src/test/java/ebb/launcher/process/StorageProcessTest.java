package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ebb storage} as a process of its own. */
class StorageProcessTest {
  @TempDir Path temp;

  @Test
  void anInterruptedRunRemovesEverythingAndItsResultIsMarked() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("store"));
    String target = "file:" + directory;
    try (EbbProcess ebb =
        EbbProcess.start(
            temp, "storage", "run", "--target", target, "--repeat", "100000", "--json")) {
      ebb.await(() -> !isEmpty(directory));
      ebb.interrupt();
      assertThat(ebb.exitCode()).as(ebb.err()).isEqualTo(5);
      assertThat(ebb.json()).containsEntry("complete", false).containsEntry("exit_code", 5);
      assertThat(directory).isEmptyDirectory();
    }
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
