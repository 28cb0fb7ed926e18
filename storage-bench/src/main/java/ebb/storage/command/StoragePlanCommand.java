package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.storage.command.PlanFile.Cell;
import ebb.storage.command.PlanFile.Region;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb storage plan}: what is missing of a plan, run by run, into one file. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Carry out a plan of regions, periods of the day and repetitions (docs/storage-bench.md).",
      "Every run that is done is in the file of results; started again it goes on with the rest.",
      "Ends with exit code 5 while runs are missing."
    })
public final class StoragePlanCommand implements EbbCommand {
  private static final long LOOK_AGAIN_SECONDS = 20;

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

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    PlanFile plan = PlanFile.read(file);
    ResultFile.checkWritable(out);
    Output output = Output.standard(json);
    ResultRecord.Builder result =
        ResultRecord.of("storage plan").fact("plan", plan.name()).fact("plan_id", plan.id());
    List<Cell> missing = missing(plan);
    int all = plan.cells().size();
    output.note("ebb: " + (all - missing.size()) + " of " + all + " runs are done");
    Set<Cell> failed = new HashSet<>();
    while (true) {
      LocalTime now = LocalTime.now(ZoneId.systemDefault());
      Optional<Cell> next =
          missing.stream()
              .filter(cell -> !failed.contains(cell) && cell.period().holds(now))
              .findFirst();
      if (next.isPresent()) {
        Measuring.Found found = run(plan, next.get(), output);
        if (found.record().complete()) {
          missing.remove(next.get());
        } else {
          failed.add(next.get());
        }
      } else if (wait && missing.size() > failed.size()) {
        TimeUnit.SECONDS.sleep(LOOK_AGAIN_SECONDS);
      } else {
        break;
      }
    }
    ExitCode code = missing.isEmpty() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    output.line(
        TerminalText.printable(
            plan.name()
                + ": "
                + (all - missing.size())
                + " of "
                + all
                + " runs are done"
                + (failed.isEmpty() ? "" : ", " + failed.size() + " failed")
                + (missing.size() > failed.size() ? "; the others wait for their period" : "")));
    result.figure("runs", all).figure("missing", missing.size()).figure("failed", failed.size());
    output.json(result.build(missing.isEmpty(), code.value()).toJson());
    return code.value();
  }

  /** What the file of results does not hold yet, whole. */
  private List<Cell> missing(PlanFile plan) {
    Set<List<String>> done = new HashSet<>();
    if (Files.exists(out) && out.toFile().length() > 0) {
      for (ResultRecord record : ResultFile.read(out).records()) {
        Map<String, String> facts = record.facts();
        if (plan.name().equals(facts.get("plan")) && !plan.id().equals(facts.get("plan_id"))) {
          throw new EbbException(
              ExitCode.USAGE,
              "'" + out + "' has results of another version of this plan; give another --out");
        }
        if (record.complete() && plan.name().equals(facts.get("plan"))) {
          done.add(
              List.of(
                  facts.getOrDefault("region", ""),
                  facts.getOrDefault("period", ""),
                  facts.getOrDefault("plan_repetition", "")));
        }
      }
    }
    List<Cell> missing = new ArrayList<>();
    for (Cell cell : plan.cells()) {
      if (!done.contains(key(cell))) {
        missing.add(cell);
      }
    }
    return missing;
  }

  private static List<String> key(Cell cell) {
    return List.of(cell.region().name(), cell.period().name(), Integer.toString(cell.repetition()));
  }

  private Measuring.Found run(PlanFile plan, Cell cell, Output output) throws InterruptedException {
    output.note(
        TerminalText.printable(
            "ebb: "
                + cell.region().name()
                + ", "
                + cell.period().name()
                + ", repetition "
                + cell.repetition()));
    Map<String, String> everyRow = new LinkedHashMap<>();
    everyRow.put("region", cell.region().name());
    everyRow.put("period", cell.period().name());
    everyRow.put("plan", plan.name());
    everyRow.put("plan_id", plan.id());
    everyRow.put("plan_repetition", Integer.toString(cell.repetition()));
    StoreOptions stores = stores(cell.region());
    RunOptions options = new RunOptions();
    options.cases = new ArrayList<>(plan.cases());
    options.preset = plan.preset();
    options.size = plan.size();
    if (plan.time() != null) {
      options.time = plan.time();
    }
    options.repeat = 1;
    options.seed = cell.repetition();
    return new Measuring(stores, output)
        .run(
            "storage run",
            options.plan(stores.target()),
            everyRow,
            found -> ResultFile.append(out, found.record()));
  }

  private static StoreOptions stores(Region region) {
    StoreOptions stores = new StoreOptions();
    stores.target = region.target();
    stores.endpoint = region.endpoint();
    stores.location = region.location();
    stores.project = region.project();
    return stores;
  }
}
