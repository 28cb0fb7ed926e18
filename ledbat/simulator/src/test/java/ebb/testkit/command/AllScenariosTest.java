package ebb.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.ExitCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Every scenario that comes with Ebb holds what its file says. */
class AllScenariosTest {
  @Test
  @Tag("long")
  void everyScenarioHolds() {
    int code = new CommandLine(new SimRunCommand()).execute("--all");
    assertThat(code).as("standard error names what failed").isEqualTo(ExitCode.DONE.value());
  }
}
