package ebb.selfbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.example.subject.BrokenSubject;
import org.example.subject.PipeSubject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void aRunGoesOnAfterAnotherWithTheSameSettings(@TempDir Path directory) throws IOException {
    String name = new PipeSubject().name();
    String[] arguments = {"--only", name, "--seconds", "0.1", "--repeat", "1", "--json"};
    Path first = directory.resolve("first.json");
    Files.writeString(first, run(arguments).result().toJson());
    double before =
        ((Number) rows(read(first), "subject", name).get(0).get("megabytes_per_second"))
            .doubleValue();

    ResultRecord both = run(with(arguments, "--after", first.toString())).result();
    assertThat(rows(both, "subject", name))
        .extracting(row -> row.get("round"))
        .containsExactly(1L, 2L);
    assertThat(rows(both, "subject", name).get(0)).containsEntry("megabytes_per_second", before);

    // What was measured before stands beside what is measured now.
    String broken = new BrokenSubject().name();
    Said other =
        run("--only", broken, "--seconds", "0.1", "--repeat", "1", "--after", first.toString());
    assertThat(other.out().lines())
        .anyMatch(line -> line.startsWith(name) && line.endsWith(new PipeSubject().what()))
        .anyMatch(line -> line.startsWith(broken));
  }

  @Test
  void aRecordThatDoesNotGoWithTheRunIsRefusedInOneLine(@TempDir Path directory)
      throws IOException {
    String name = new PipeSubject().name();
    Path other = directory.resolve("other.json");
    Said said = run("--only", name, "--seconds", "0.2", "--repeat", "1", "--json");
    Files.writeString(other, said.result().toJson());
    assertRefused(other, "was measured with warm_up_millis 200, and here is 100");

    Files.writeString(other, said.result().toJson().replace("bench transport", "net client"));
    assertRefused(other, "is of ebb net client");

    Files.writeString(other, "{\"no\": \"record\"");
    assertRefused(other, "cannot be read: ");
    assertRefused(directory.resolve("missing.json"), "cannot be read: ");
  }

  private static void assertRefused(Path record, String why) {
    TransportCommand command = new TransportCommand();
    new CommandLine(command)
        .parseArgs(
            "--only", new PipeSubject().name(), "--seconds", "0.1", "--after", record.toString());
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(command::call)
        .withMessageStartingWith("--after: " + record + " " + why)
        .satisfies(refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.USAGE))
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
  }

  private static ResultRecord read(Path file) throws IOException {
    return ResultRecord.fromJson(Files.readString(file));
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
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
