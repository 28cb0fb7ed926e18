package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.storage.bench.RunPlan;
import ebb.storage.command.PlanFile.Cell;
import ebb.storage.command.PlanFile.Period;
import ebb.storage.command.PlanFile.Region;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ebb storage run}. It owns the options and where the result goes. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Measure an object store, a directory or memory.",
      "Transfers, bandwidth, IOPS and latency. Without a target it measures a demo endpoint in this process. Every byte's CRC32C is",
      "checked; everything that a run makes is labelled and removed, also when interrupted."
    })
public final class StorageRunCommand implements EbbCommand {
  private static final int SCHEDULED_REPETITIONS = 10;

  @Mixin StoreOptions stores = new StoreOptions();
  @Mixin RunOptions options = new RunOptions();
  @Mixin ClientOptions clients = new ClientOptions();
  @Spec @Nullable CommandSpec spec;

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

  @Option(
      names = "--schedule",
      split = ",",
      paramLabel = "TIME[-TIME]",
      description = {
        "Periods of the day, such as 06:00,12:00-14:00; a time alone is the hour from then. In each",
        "of them everything is run --repeat times (default: "
            + SCHEDULED_REPETITIONS
            + "), one record a run, all in --out;",
        "the command waits for them, and started again it goes on with the rest."
      })
  List<String> schedule = new ArrayList<>();

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    RunPlan plan = options.plan(stores.target());
    if (!schedule.isEmpty()) {
      return scheduled();
    }
    Path file = out;
    if (file != null) {
      ResultFile.checkWritable(file);
    }
    Output output = Output.standard(json);
    Map<String, String> everyRow = new LinkedHashMap<>();
    everyRow.put("region", region == null ? "" : region);
    everyRow.put("period", period == null ? "" : period);
    Measuring.Found found =
        measuring(output, plan)
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

  private Measuring measuring(Output output, RunPlan plan) {
    return new Measuring(
        stores, output, clients.hosts(plan, stores.provider()), StorageClientCommand.version(spec));
  }

  private Integer scheduled() throws InterruptedException {
    Path file = out;
    if (file == null || period != null) {
      throw new EbbException(
          ExitCode.USAGE,
          file == null ? "--schedule needs --out" : "--schedule and --period exclude each other");
    }
    List<Period> periods = periods();
    int repetitions = options.repeat == null ? SCHEDULED_REPETITIONS : options.repeat;
    Region where =
        new Region(region == null ? "" : region, stores.target().text(), null, null, null, null);
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Period one : periods) {
        cells.add(new Cell(where, one, repetition));
      }
    }
    ResultFile.checkWritable(file);
    Output output = Output.standard(json);
    long firstSeed = options.seed;
    return new Campaign(
            "schedule",
            PlanFile.id(stores.words() + options.words() + clients.words() + schedule),
            cells,
            file,
            true)
        .run(
            "storage run",
            (cell, everyRow) -> {
              options.repeat = 1;
              options.seed = firstSeed + cell.repetition() - 1;
              RunPlan plan = options.plan(stores.target());
              return measuring(output, plan)
                  .run(
                      "storage run",
                      plan,
                      everyRow,
                      done -> ResultFile.append(file, done.record()));
            },
            output)
        .value();
  }

  private List<Period> periods() {
    List<Period> periods = new ArrayList<>();
    for (String text : schedule) {
      String[] ends = text.split("-", -1);
      try {
        LocalTime from = LocalTime.parse(ends[0].strip());
        LocalTime to = ends.length == 1 ? from.plusHours(1) : LocalTime.parse(ends[1].strip());
        if (ends.length > 2 || from.equals(to)) {
          throw noSchedule(text, null);
        }
        periods.add(new Period(text.strip(), from, to));
      } catch (DateTimeParseException e) {
        throw noSchedule(text, e);
      }
    }
    if (periods.stream().distinct().count() < periods.size()) {
      throw new EbbException(ExitCode.USAGE, "--schedule names a period twice");
    }
    return periods;
  }

  private static EbbException noSchedule(String text, @Nullable Exception cause) {
    return new EbbException(
        ExitCode.USAGE, "--schedule takes 06:00 or 06:00-10:00, not '" + text + "'", cause);
  }
}
