package ebb.selfbench.builtin;

import ebb.core.rand.SeededRandom;
import ebb.selfbench.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** What is sent to measure a transfer: one large file, or a directory of small ones. */
enum SourceFiles {
  LARGE,
  SMALL;

  private static final int SMALL_FILES = 5_000;
  private static final int SMALL_BYTES = 4_096;

  /** Enough that a process's first seconds, in which its code is compiled, are not all of it. */
  static final long BYTES_PER_MILLI = 1_000_000;

  /** How much that is. */
  long bytes(long periodMillis) {
    return this == LARGE ? BYTES_PER_MILLI * periodMillis : (long) SMALL_FILES * SMALL_BYTES;
  }

  /**
   * Makes them in {@code directory}; all are on the disk when it returns, as far as that is known.
   */
  Path make(Path directory, long periodMillis) throws IOException {
    Path content = directory.resolve("content");
    RandomGenerator random = new SeededRandom(1);
    if (this == LARGE) {
      ScratchDirectory.fill(content, bytes(periodMillis), random);
      return content;
    }
    Files.createDirectory(content);
    byte[] bytes = new byte[SMALL_BYTES];
    for (int i = 0; i < SMALL_FILES; i++) {
      random.nextBytes(bytes);
      Files.write(content.resolve("f" + i), bytes);
    }
    return content;
  }
}
