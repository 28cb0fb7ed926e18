package ebb.ledbat.fuzz;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Replays what fuzzing kept: inputs that together reach all code that was ever reached, and those
 * that once failed. CONTRIBUTING.md says how to add to them.
 */
final class CorpusTest {
  @Test
  void packetsOfTheCorpusAreDecodedOrRefused() throws IOException {
    Corpus.replay("packet", PacketTarget::fuzzerTestOneInput);
  }

  @Test
  void scriptsOfTheCorpusHoldTheOracle() throws IOException {
    Corpus.replay("connection", ConnectionTarget::fuzzerTestOneInput);
  }
}
