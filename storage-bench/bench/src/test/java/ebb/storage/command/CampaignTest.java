package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.storage.command.PlanFile.Cell;
import ebb.storage.command.PlanFile.Period;
import ebb.storage.command.PlanFile.Region;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a plan's runs in the end. */
class CampaignTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private ExitCode run(boolean interrupted) throws InterruptedException {
    List<Cell> cells =
        IntStream.of(1, 2)
            .mapToObj(
                number ->
                    new Cell(
                        new Region("here", "mem:", null, null, null, null),
                        new Period("", null, null),
                        number))
            .toList();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    ResultRecord half = ResultRecord.of("storage plan").build(false, 5);
    return new Campaign("both", "id", cells, directory.resolve("out"), false)
        .run(
            "storage plan",
            (cell, everyRow) -> new Measuring.Found(half, ExitCode.INCOMPLETE, interrupted),
            new Output(out, err, false));
  }

  @Test
  void aRunThatCtrlCStoppedHasNotFailed() throws Exception {
    assertThat(run(true)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualTo("both: 0 of 2 runs are done; interrupted, the same command goes on\n");
  }

  @Test
  void runsThatFailedAreCounted() throws Exception {
    assertThat(run(false)).isEqualTo(ExitCode.INCOMPLETE);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .isEqualTo("both: 0 of 2 runs are done, 2 failed\n");
  }
}
