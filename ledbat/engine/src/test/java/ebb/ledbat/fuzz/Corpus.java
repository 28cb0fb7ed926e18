package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What fuzzing kept of one target, in the module that the test runs in. */
public final class Corpus {
  private Corpus() {}

  /** Hands every input of {@code src/test/fuzz/name} to the target. */
  public static void replay(String name, Consumer<byte[]> target) throws IOException {
    List<Path> inputs;
    try (Stream<Path> files = Files.list(Path.of("src/test/fuzz", name))) {
      inputs = files.sorted().toList();
    }
    assertThat(inputs).isNotEmpty();
    for (Path input : inputs) {
      try {
        target.accept(Files.readAllBytes(input));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(input.toString(), e);
      }
    }
  }
}
