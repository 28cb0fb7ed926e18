package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.Output;
import ebb.storage.bench.RunPlan;
import ebb.storage.clients.ClientHosts;
import ebb.storage.command.PlanFile.Cell;
import ebb.storage.command.PlanFile.Region;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ebb storage plan}: what is missing of a plan, run by run, into one file. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Carry out a plan of regions, periods and repetitions.",
      "Such a plan is a file (docs/storage-bench.md). Every run that is done is in the file of results; started again it goes on with the rest.",
      "Ends with exit code 5 while runs are missing."
    })
public final class StoragePlanCommand implements EbbCommand {
  @Parameters(paramLabel = "PLAN.toml", description = "The plan.")
  Path file = Path.of("");

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "The file of results, one JSON record a line.")
  Path out = Path.of("");

  @Option(names = "--wait", description = "Wait for the periods of runs that are missing.")
  boolean wait;

  @Option(names = "--json", description = "Print how far the plan is as JSON.")
  boolean json;

  @Spec @Nullable CommandSpec spec;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    PlanFile plan = PlanFile.read(file);
    for (Region region : plan.regions()) {
      StoreOptions stores = stores(region);
      hosts(plan, stores, options(plan, 1).plan(stores.target()));
    }
    ResultFile.checkWritable(out);
    Output output = Output.standard(json);
    return new Campaign(plan.name(), plan.id(), plan.cells(), out, wait)
        .run("storage plan", (cell, everyRow) -> run(plan, cell, everyRow, output), output)
        .value();
  }

  private Measuring.Found run(PlanFile plan, Cell cell, Map<String, String> everyRow, Output output)
      throws InterruptedException {
    StoreOptions stores = stores(cell.region());
    RunPlan runPlan = options(plan, cell.repetition()).plan(stores.target());
    return new Measuring(
            stores, output, hosts(plan, stores, runPlan), StorageClientCommand.version(spec))
        .run("storage run", runPlan, everyRow, found -> ResultFile.append(out, found.record()));
  }

  private static @Nullable ClientHosts hosts(PlanFile plan, StoreOptions stores, RunPlan run) {
    ClientOptions clients = new ClientOptions();
    clients.clients = plan.clients();
    clients.ssh = plan.ssh();
    return clients.hosts(run, stores.provider());
  }

  private static RunOptions options(PlanFile plan, int repetition) {
    RunOptions options = new RunOptions();
    options.cases = new ArrayList<>(plan.cases());
    options.preset = plan.preset();
    options.mix = plan.mix();
    options.rate = plan.rate();
    options.size = plan.size();
    if (plan.time() != null) {
      options.time = plan.time();
    }
    options.repeat = 1;
    options.seed = repetition;
    return options;
  }

  private static StoreOptions stores(Region region) {
    StoreOptions stores = new StoreOptions();
    stores.target = region.target();
    stores.endpoint = region.endpoint();
    stores.location = region.location();
    stores.project = region.project();
    stores.variant = region.variant();
    return stores;
  }
}
