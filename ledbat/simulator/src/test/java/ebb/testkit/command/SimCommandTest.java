package ebb.testkit.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.qlog.QlogRecords;
import ebb.testkit.file.ScenarioFiles;
import ebb.testkit.file.ScenarioOutcome;
import ebb.testkit.file.ScenarioRunner;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimCommandTest {
  private static final String SHORT =
      """
      title = "LEDBAT alone"
      end = 10s
      link { rate = 10M, rtt = 20ms, buffer = 300ms }
      flows = [{ name = ledbat, controller = ledbat }]
      checks = [
        { of = utilisation, from = 5s, at-least = %s }
        { of = queue, percent = 95, from = 5s, at-most = 120ms }
      ]
      """;

  @TempDir Path folder;

  private Path file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aScenarioThatHoldsEndsWithZeroAndWritesAPage() throws Exception {
    Path scenario = file("good.conf", SHORT.formatted("0.9"));
    Path page = folder.resolve("page.html");
    int code =
        new CommandLine(new SimRunCommand())
            .execute(scenario.toString(), "--plot", page.toString());
    assertThat(code).isEqualTo(ExitCode.DONE.value());
    assertThat(page)
        .content()
        .contains("good: LEDBAT alone", "TARGET 100 ms", "<figure class=\"chart\"", "utilisation");
  }

  @Test
  void qlogHoldsBothEndsOfEveryFlowOnVirtualTime() throws Exception {
    String twoSeconds = SHORT.formatted("0.1").replace("10s", "2s").replace("5s", "1s");
    Path scenario = file("good.conf", twoSeconds);
    Path qlog = folder.resolve("good.sqlog");

    int code =
        new CommandLine(new SimRunCommand())
            .execute(scenario.toString(), "--qlog", qlog.toString());

    assertThat(code).isEqualTo(ExitCode.DONE.value());
    QlogRecords records = QlogRecords.valid(qlog);
    assertThat(records.data("simulation:scenario").get(0).path("name").asText()).isEqualTo("good");
    assertThat(records.groups()).isEqualTo(Set.of("good", "good ledbat 1", "good ledbat 2"));
    assertThat(records.data("ledbat:controller_state_updated"))
        .extracting(data -> data.path("new").asText())
        .contains("avoidance");
    int last = records.events().size() - 1;
    assertThat(records.events().get(last).path("time").asDouble()).isBetween(1_900.0, 2_000.0);
  }

  @Test
  void aScenarioThatFailsEndsWithNinetyNine() throws Exception {
    Path scenario = file("bad.conf", SHORT.formatted("1.1"));
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(new CommandLine(new SimRunCommand()).execute(scenario.toString(), "--seed", "17"))
          .isEqualTo(ExitCode.THRESHOLD_FAILED.value());
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .contains("ebb: bad failed; the same again: ebb sim run " + scenario + " --seed 17");
  }

  @Test
  void aFlowsLimitsAreTextRecordsAndAPanel() throws Exception {
    ScenarioOutcome outcome =
        ScenarioRunner.run(ScenarioFiles.parse("s", "x", SHORT.formatted("0.9")));
    assertThat(SimView.limits(outcome))
        .singleElement()
        .satisfies(row -> assertThat(row).contains("ledbat limited, 5-10 s: cwnd 100%"));
    assertThat(SimView.limitRecords(outcome).get(0))
        .containsEntry("figure", "limited_by_cwnd")
        .containsEntry("flow", "ledbat")
        .containsEntry("from_micros", 5_000_000L)
        .hasEntrySatisfying("value", v -> assertThat((Double) v).isBetween(0.99, 1.0));
    Path page = folder.resolve("limits.html");
    SimView.html(List.of(outcome)).writeTo(page);
    assertThat(page).content().contains("What limited ledbat, % of time");
  }

  @Test
  void linesFitIntoOneHundredColumns() throws Exception {
    assertThat(SimView.header().length()).isLessThanOrEqualTo(100);
    ScenarioOutcome outcome =
        ScenarioRunner.run(
            ScenarioFiles.parse(
                "a-very-long-name-of-a-scenario", "x", SHORT.formatted("0.123456789")));
    assertThat(SimView.rows(outcome)).hasSize(2).allMatch(row -> row.length() <= 100);
    for (var shipped : Scenarios.shipped()) {
      assertThat(shipped.name().length() + shipped.title().length()).isLessThan(64);
    }
  }

  @Test
  void whatIsNoScenarioIsRefusedInOneLine() {
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(() -> Scenarios.find("no-such"))
        .withMessage("no scenario and no file: no-such (ebb sim list shows the scenarios)");
    for (List<String> arguments : List.of(List.<String>of(), List.of("--all", "c02-alone"))) {
      SimRunCommand command = new SimRunCommand();
      new CommandLine(command).parseArgs(arguments.toArray(new String[0]));
      assertThatExceptionOfType(EbbException.class)
          .isThrownBy(command::call)
          .withMessage("say which scenarios, or --all (ebb sim list shows them)");
    }
  }

  @Test
  void whatWouldTakeHoursIsRefusedBeforeItBegins() throws Exception {
    // 8 * 10^14 bits at 3 * 10^9 a second of a processor, and as much for the flow alone.
    String text =
        SHORT
            .formatted("0.9")
            .replace("10M", "10G")
            .replace("of = utilisation", "of = kept, flow = ledbat")
            .replace("end = 10s", "end = 24h");
    Path file = file("hours.conf", text);
    SimRunCommand command = new SimRunCommand();
    new CommandLine(command).parseArgs(file.toString());
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(command::call)
        .withMessage(
            "this would take about 9600 minutes; end earlier, run it fewer times, or allow it"
                + " with --limit-minutes");
  }

  @Test
  void aTraceThatEndsEarlyIsRefusedBeforeAnythingRuns() throws Exception {
    file("short.csv", "0s,10M\n3s,2M\n5s,end\n");
    Path file =
        file(
            "traced.conf",
            SHORT.formatted("0.9").replace("300ms }", "300ms, trace { file = short.csv } }"));
    SimRunCommand command = new SimRunCommand();
    new CommandLine(command).parseArgs("c02-alone", file.toString());
    assertThatExceptionOfType(EbbException.class)
        .isThrownBy(command::call)
        .satisfies(
            e -> {
              assertThat(e.getMessage())
                  .contains("traced.conf:3: short.csv: it ends after 5000 ms")
                  .hasLineCount(1);
              assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
            });
  }
}
