package ebb.ledbat.kompics;

import ebb.ledbat.fuzz.Corpus;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Replays what fuzzing kept for messages; see CONTRIBUTING.md. */
final class MessagesCorpusTest {
  @Test
  void messagesOfTheCorpusAreReadOrRefused() throws IOException {
    Corpus.replay("messages", MessagesTarget::fuzzerTestOneInput);
  }
}
