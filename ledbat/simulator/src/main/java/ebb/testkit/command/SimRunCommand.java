package ebb.testkit.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.QlogOption;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.ledbat.qlog.QlogClock;
import ebb.ledbat.qlog.QlogFile;
import ebb.testkit.file.ScenarioFile;
import ebb.testkit.file.ScenarioOutcome;
import ebb.testkit.file.ScenarioRunner;
import ebb.testkit.scenario.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb sim run}. It owns the order and the verdict; the words are {@link SimView}'s. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Simulate scenarios and judge them by their own thresholds.",
      "Runs the real protocol engine on virtual time over modelled links, beside models of"
          + " TCP. Ends with exit"
          + " code 99 when a check fails."
    })
public final class SimRunCommand implements EbbCommand {
  @Parameters(
      paramLabel = "SCENARIO",
      arity = "0..*",
      description = "Names that ebb sim list shows, or files (docs/testkit.md).")
  private List<String> names = new ArrayList<>();

  @Option(names = "--all", description = "All scenarios that come with Ebb.")
  private boolean all;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the first run (default: the scenario's own).")
  private @Nullable Long seed;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Write an HTML page with throughput, cwnd and queuing delay over time.")
  private @Nullable Path plot;

  @Option(
      names = "--limit-minutes",
      paramLabel = "N",
      description = "Refuse to begin what would take longer (default: ${DEFAULT-VALUE}).")
  private int limitMinutes = 60;

  @Mixin private QlogOption qlog = new QlogOption();

  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public String group() {
    return "sim";
  }

  @Override
  public Integer call() {
    List<ScenarioFile> files = files();
    refuseWhatTakesLong(files);
    ResultFiles.checkWritable(plot);
    try (QlogOption.Opened<QlogFile> traces =
        qlog.open(
            (file, packets, warn) ->
                QlogFile.create(file, "ebb sim run", QlogClock.VIRTUAL, packets, warn))) {
      return run(files, traces.file());
    }
  }

  private Integer run(List<ScenarioFile> files, @Nullable QlogFile traces) {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("sim run");
    List<ScenarioOutcome> outcomes = new ArrayList<>();
    long began = System.nanoTime();
    output.line(SimView.header());
    for (ScenarioFile file : files) {
      ScenarioOutcome outcome = run(file, traces);
      outcomes.add(outcome);
      SimView.rows(outcome).forEach(output::line);
      SimView.limits(outcome).forEach(output::line);
      SimView.records(outcome).forEach(result::row);
      SimView.limitRecords(outcome).forEach(result::row);
      result.fact("trace_sha256_" + file.name(), outcome.traceDigest());
      if (!outcome.holds()) {
        output.note(
            "ebb: "
                + file.name()
                + " failed; the same again: ebb sim run "
                + names(file)
                + " --seed "
                + file.seed());
      }
    }
    double wallSeconds = (System.nanoTime() - began) / 1e9;
    double virtualSeconds = outcomes.stream().mapToLong(o -> o.virtualMicros()).sum() / 1e6;
    long failed = outcomes.stream().filter(o -> !o.holds()).count();
    output.line(
        String.format(
            Locale.ROOT,
            "%d of %d scenarios hold; %.0f s simulated in %.1f s (%.0f times real time)",
            outcomes.size() - failed,
            outcomes.size(),
            virtualSeconds,
            wallSeconds,
            virtualSeconds / wallSeconds));
    writePlot(outcomes, output);
    ExitCode code = failed == 0 ? ExitCode.DONE : ExitCode.THRESHOLD_FAILED;
    result
        .figure("scenarios", outcomes.size())
        .figure("scenarios_failed", failed)
        .figure("simulated_seconds", virtualSeconds)
        .figure("simulation_wall_seconds", wallSeconds)
        .warning("the TCP flows are models, not a kernel's TCP");
    output.json(result.build(true, code.value()).toJson());
    return code.value();
  }

  private static ScenarioOutcome run(ScenarioFile file, @Nullable QlogFile traces) {
    if (traces == null) {
      return ScenarioRunner.run(file);
    }
    traces.scenario(file.name(), file.seed());
    return ScenarioRunner.run(file, flow -> traces.named(file.name() + " " + flow));
  }

  private List<ScenarioFile> files() {
    if (all == !names.isEmpty()) {
      throw new EbbException(
          ExitCode.USAGE, "say which scenarios, or --all (ebb sim list shows them)");
    }
    List<ScenarioFile> files = new ArrayList<>();
    if (all) {
      files.addAll(Scenarios.shipped());
    }
    for (String name : names) {
      files.add(Scenarios.find(name));
    }
    Long chosen = seed;
    if (chosen != null) {
      files.replaceAll(file -> file.withSeed(chosen));
    }
    return files;
  }

  private void refuseWhatTakesLong(List<ScenarioFile> files) {
    double bits = files.stream().mapToDouble(ScenarioFile::simulatedBits).sum();
    double minutes = bits / Scenario.BITS_PER_SECOND_OF_CPU / 60;
    if (minutes > limitMinutes) {
      throw new EbbException(
          ExitCode.USAGE,
          String.format(
              Locale.ROOT,
              "this would take about %.0f minutes; end earlier, run it fewer times, or allow it"
                  + " with --limit-minutes",
              minutes));
    }
  }

  /** As the user called it: a file by its path. */
  private String names(ScenarioFile file) {
    for (String name : names) {
      if (name.endsWith(file.name() + ".conf")) {
        return name;
      }
    }
    return file.name();
  }

  private void writePlot(List<ScenarioOutcome> outcomes, Output output) {
    if (ResultFiles.write(plot, file -> SimView.html(outcomes).writeTo(file))) {
      output.line("Page: " + plot);
    }
  }
}
