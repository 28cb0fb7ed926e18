package ebb.files;

import ebb.ledbat.fuzz.Corpus;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Replays what fuzzing kept for the file protocol; see CONTRIBUTING.md. */
final class FileFramesCorpusTest {
  @Test
  void streamsOfTheCorpusAreReadOrRefused() throws IOException {
    Corpus.replay("file-frames", FileFramesTarget::fuzzerTestOneInput);
  }
}
