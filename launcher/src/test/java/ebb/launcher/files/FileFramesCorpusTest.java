package ebb.launcher.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Replays what fuzzing kept for the file protocol; see CONTRIBUTING.md. */
final class FileFramesCorpusTest {
  @Test
  void streamsOfTheCorpusAreReadOrRefused() throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(Path.of("src/test/fuzz/file-frames"))) {
      inputs = files.sorted().toList();
    }
    assertThat(inputs).isNotEmpty();
    for (Path input : inputs) {
      try {
        FileFramesTarget.fuzzerTestOneInput(Files.readAllBytes(input));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(input.toString(), e);
      }
    }
  }
}
