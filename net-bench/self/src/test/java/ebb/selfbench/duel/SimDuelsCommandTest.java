package ebb.selfbench.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimDuelsCommandTest {
  @Test
  void someCellsAreSimulatedByName() {
    int code =
        new CommandLine(new SimDuelsCommand())
            .execute(
                "--only", "^alone/2M 50/150/(ledbat|libutp-like)$", "--threads", "2", "--json");
    assertThat(code).isEqualTo(ExitCode.DONE.value());
  }

  @Test
  void cellsThatAreInNoTableAreSimulatedAndDrawn(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("page.html");
    int code =
        new CommandLine(new SimDuelsCommand())
            .execute(
                "--cell",
                "cubic-first/3M 43/60 codel/scavenger",
                "--cell",
                "alone/2M 43/20kB policer/scavenger#2",
                "--plot",
                page.toString());
    assertThat(code).isEqualTo(ExitCode.DONE.value());
    assertThat(page).content().contains("<figure class=\"chart\"", "codel", "of 2 cells");
  }

  @Test
  void whatIsNoSelectionIsRefusedInOneLine() {
    for (List<String> arguments :
        List.of(
            List.of("--only", "no-such-cell"),
            List.of("--only", "("),
            List.of("--only", "2M", "--write", "target/x.md"),
            List.of("--only", "2M", "--check", "target/x.md"),
            List.of("--threads", "0"),
            List.of("--cell", "cubic-first/17M 43/30 blue/scavenger"),
            List.of("--cell", "alone/2M 50/150/ledbat", "--only", "2M"),
            List.of("--grid", "vegas"),
            List.of("--grid", "scavenger", "--write", "target/x.md"),
            List.of("--limit-minutes", "1"),
            List.of("--plot", "target/no-such-directory/x.html"),
            List.of("--check", "target/no-such-file.md"),
            List.of("--write", "target/no-such-directory/x.md"))) {
      SimDuelsCommand command = new SimDuelsCommand();
      new CommandLine(command).parseArgs(arguments.toArray(new String[0]));
      assertThatExceptionOfType(EbbException.class)
          .as("%s", arguments)
          .isThrownBy(command::call)
          .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }
  }

  @Test
  void theFirstDifferenceIsShown() {
    assertThat(SimDuelsCommand.firstDifference("a\nb\n", "a\nb\n")).isEmpty();
    assertThat(SimDuelsCommand.firstDifference("a\nb\u001b\n", "a\nc\n"))
        .isEqualTo("line 2 differs\n  file:      b?\n  simulated: c");
    assertThat(SimDuelsCommand.firstDifference("a", "a\nb"))
        .isEqualTo("line 2 differs\n  file:      (ends before)\n  simulated: b");
  }
}
