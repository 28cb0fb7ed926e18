package ebb.vm.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Runs a program to its end. */
final class Shell {
  /** Its exit code, and what it said. */
  record Ended(int code, String output) {
    boolean isDone() {
      return code == 0;
    }

    String lastLine() {
      String text = output.strip();
      return text.substring(text.lastIndexOf('\n') + 1);
    }
  }

  private Shell() {}

  static Ended run(String... words) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
