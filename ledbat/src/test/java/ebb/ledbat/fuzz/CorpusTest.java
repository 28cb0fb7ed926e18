package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.kompics.MessagesTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Replays what fuzzing kept: inputs that together reach all code that was ever reached, and those
 * that once failed. CONTRIBUTING.md says how to add to them.
 */
final class CorpusTest {
  @Test
  void packetsOfTheCorpusAreDecodedOrRefused() throws IOException {
    replay("packet", PacketTarget::fuzzerTestOneInput);
  }

  @Test
  void scriptsOfTheCorpusHoldTheOracle() throws IOException {
    replay("connection", ConnectionTarget::fuzzerTestOneInput);
  }

  @Test
  void messagesOfTheCorpusAreReadOrRefused() throws IOException {
    replay("messages", MessagesTarget::fuzzerTestOneInput);
  }

  private static void replay(String name, Consumer<byte[]> target) throws IOException {
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
