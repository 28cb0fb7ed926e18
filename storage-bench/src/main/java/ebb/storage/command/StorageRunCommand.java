package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.storage.bench.RunPlan;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb storage run}. It owns the options and where the result goes. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Measure an object store, a directory or memory: transfers, bandwidth, IOPS, latency.",
      "Without a target it measures a demo endpoint in this process. Every byte's CRC32C is",
      "checked; everything that a run makes is labelled and removed, also when interrupted."
    })
public final class StorageRunCommand implements EbbCommand {
  @Mixin StoreOptions stores = new StoreOptions();
  @Mixin RunOptions options = new RunOptions();

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "Kept in the result, for reports by region.")
  @Nullable String region;

  @Option(
      names = "--period",
      paramLabel = "NAME",
      description = "Kept in the result, for reports by the time of day.")
  @Nullable String period;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Append the result as a line of JSON, for 'ebb storage report' and 'compare'.")
  @Nullable Path out;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    RunPlan plan = options.plan(stores.target());
    Path file = out;
    if (file != null) {
      ResultFile.checkWritable(file);
    }
    Output output = Output.standard(json);
    Map<String, String> everyRow = new LinkedHashMap<>();
    everyRow.put("region", region == null ? "" : region);
    everyRow.put("period", period == null ? "" : period);
    Measuring.Found found =
        new Measuring(stores, output)
            .run(
                "storage run",
                plan,
                everyRow,
                done -> {
                  if (file != null) {
                    ResultFile.append(file, done.record());
                    output.note("ebb: result appended to " + TerminalText.printable("" + file));
                  }
                  output.json(done.record().toJson());
                });
    return found.code().value();
  }
}
