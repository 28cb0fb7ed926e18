package ebb.testkit.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.testkit.file.ScenarioFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb sim list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List the scenarios that come with Ebb.")
public final class SimListCommand implements EbbCommand {
  @Option(names = "--json", description = "Print the result as JSON.")
  private boolean json;

  @Override
  public String group() {
    return "sim";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("sim list");
    List<ScenarioFile> files = Scenarios.shipped();
    output.line(
        String.format(Locale.ROOT, "%-20s %7s %6s  %s", "scenario", "seconds", "checks", "what"));
    for (ScenarioFile file : files) {
      output.line(
          String.format(
              Locale.ROOT,
              "%-20s %7d %6d  %s",
              file.name(),
              file.endMicros() / 1_000_000 * file.runs(),
              file.checks().size(),
              file.title()));
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("scenario", file.name());
      row.put("title", file.title());
      row.put("simulated_micros", file.endMicros() * file.runs());
      row.put("checks", (long) file.checks().size());
      result.row(row);
    }
    output.json(result.build(true, ExitCode.DONE.value()).toJson());
    return ExitCode.DONE.value();
  }
}
