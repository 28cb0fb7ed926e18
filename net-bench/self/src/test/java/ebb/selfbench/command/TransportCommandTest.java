package ebb.selfbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.example.subject.BrokenSubject;
import org.example.subject.PipeSubject;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TransportCommandTest {
  /** What the command said on both streams. */
  private record Said(String out, String err) {
    /** The record; tests log to standard output, too. */
    ResultRecord result() {
      return ResultRecord.fromJson(
          out.lines().filter(line -> line.startsWith("{")).findFirst().orElseThrow());
    }
  }

  private static Said run(String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
    try {
      int code = new CommandLine(new TransportCommand()).execute(arguments);
      assertThat(code).as(errBytes.toString(StandardCharsets.UTF_8)).isZero();
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
    return new Said(
        outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
  }

  private static List<Map<String, Object>> rows(ResultRecord record, String key, Object value) {
    return record.rows().stream().filter(row -> value.equals(row.get(key))).toList();
  }

  @Test
  void aSubjectFromElsewhereIsMeasuredJudgedAndRecorded() {
    String name = new PipeSubject().name();
    Said said = run("--only", name, "--seconds", "0.1", "--repeat", "2", "--json");
    ResultRecord record = said.result();
    assertThat(record.figures().get("example_pipe_megabytes_per_second").doubleValue())
        .isPositive();
    assertThat(rows(record, "subject", name))
        .hasSize(2)
        .allMatch(row -> ((Number) row.get("chunk_bytes")).intValue() == 4_096);
    assertThat(rows(record, "what", "pipe").get(0))
        .containsEntry("verdict", "met")
        .containsEntry("unit", "MB/s");
    assertThat(rows(record, "what", "pipe / one connection").get(0))
        .containsEntry("verdict", "not measured")
        .containsEntry("reason", "ebb was not asked for");
    // With --json the table goes to standard error.
    assertThat(said.err().lines())
        .anyMatch(line -> line.startsWith(name) && line.endsWith(new PipeSubject().what()))
        .anyMatch(line -> line.startsWith("target 10  met"))
        .noneMatch(line -> line.startsWith("target 11"));
  }

  @Test
  void aFaultInOneSubjectIsALineAndTheOthersGoOn() {
    String broken = new BrokenSubject().name();
    String pipe = new PipeSubject().name();
    Said said = run("--only", broken + "," + pipe, "--seconds", "0.1", "--repeat", "1");
    assertThat(said.out().lines())
        .anyMatch(line -> line.startsWith(broken) && line.endsWith("a fault of its own"))
        .anyMatch(line -> line.startsWith(pipe) && line.endsWith(new PipeSubject().what()));
  }

  @Test
  void aBuiltInSubjectRunsInProcessesOfItsOwn() {
    Said said = run("--only", "tcp", "--seconds", "0.1", "--repeat", "1", "--json");
    ResultRecord record = said.result();
    assertThat(rows(record, "subject", "tcp")).as(said.err()).hasSize(1);
    assertThat(rows(record, "subject", "tcp").get(0)).containsKey("receiver_heap_peak_bytes");
  }

  @Test
  void anUnknownNameListsAllThereAre() {
    TransportCommand command = new TransportCommand();
    new CommandLine(command).parseArgs("--only", "no-such-subject");
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(command::call)
        .satisfies(refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.USAGE))
        .withMessageContaining("ebb-nio, ")
        .withMessageContaining(new PipeSubject().name());
  }
}
