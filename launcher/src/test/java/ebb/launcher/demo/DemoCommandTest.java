package ebb.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

class DemoCommandTest {
  @TempDir Path directory;

  @Command(name = "ebb")
  static final class Root implements Runnable {
    @Override
    public void run() {}
  }

  private static int ebb(String... words) {
    return Cli.run(new Root(), Map.of(), List.of(new DemoCommand()), words);
  }

  @Test
  void aSmallFileCrossesAndThePageIsWritten() throws Exception {
    Path page = directory.resolve("with space.html");
    int code = ebb("demo", "--size", "3Mi", "--out", page.toString());
    assertThat(code).isEqualTo(ExitCode.DONE.value());
    assertThat(Files.readString(page))
        .contains("<figure class=\"chart\"")
        .contains("as sent", "default-src 'none'");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsSaidBeforeAnyWork() {
    Path nowhere = directory.resolve("missing").resolve("demo.html");
    assertThat(ebb("demo", "--out", nowhere.toString())).isEqualTo(ExitCode.USAGE.value());
    assertThat(ebb("demo", "--out", directory.toString())).isEqualTo(ExitCode.USAGE.value());
  }
}
