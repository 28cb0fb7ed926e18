package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.net.Keys;
import ebb.net.control.TestSpec.Mode;
import ebb.net.matrix.Inventory;
import ebb.net.matrix.Inventory.Host;
import ebb.net.matrix.Matrix;
import ebb.net.mechanism.OptionValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net matrix}. It owns which hosts are measured; {@link MatrixRun} measures them. */
@Command(
    name = "matrix",
    mixinStandardHelpOptions = true,
    description = {
      "Measure from this host to every other host of an inventory.",
      "Each way, over internal and external addresses; 'ebb net server' runs on all of them. With --join, put together what",
      "the hosts measured: a table of all pairs, and which of them are not alike both ways."
    })
public final class NetMatrixCommand implements EbbCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "INVENTORY",
      description = "A TOML file with a [[host]] for each host; with --join, results.")
  List<Path> files = List.of();

  @Option(
      names = "--join",
      description = "The files are results of 'ebb net matrix -J'; measure nothing.")
  boolean join;

  @Option(
      names = "--self",
      paramLabel = "NAME",
      description = "Which host of the inventory this is (default: none of them).")
  @Nullable String self;

  @Option(
      names = "--to",
      paramLabel = "LIST",
      split = ",",
      description = "Only to these hosts (default: all others).")
  List<String> to = List.of();

  @Option(
      names = "--addresses",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "internal,external",
      description = "Of internal, external (default: ${DEFAULT-VALUE}, where there are such).")
  List<String> addresses = List.of("internal", "external");

  @Option(
      names = "--direction",
      paramLabel = "WAY",
      defaultValue = "both",
      description =
          "up, down or both, one after the other; up will do where all hosts measure"
              + " (default: ${DEFAULT-VALUE}).")
  String direction = "both";

  @Mixin private CasesOption cases = new CasesOption();

  @Option(
      names = "--modes",
      paramLabel = "LIST",
      split = ",",
      defaultValue = "stop-and-wait,streaming",
      description = "Of stop-and-wait, streaming (default: ${DEFAULT-VALUE}).")
  List<String> modes = List.of("stop-and-wait", "streaming");

  @Option(
      names = {"-b", "--bitrate"},
      paramLabel = "LIST",
      split = ",",
      defaultValue = "10M",
      description = "UDP's rates; others have no bound (default: ${DEFAULT-VALUE}).")
  List<String> rates = List.of("10M");

  @Option(
      names = {"-l", "--length"},
      paramLabel = "BYTES",
      description = "Message size (default: " + NetClientOptions.DEFAULT_LENGTHS + ").")
  @Nullable String length;

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Of each streaming run (default: ${DEFAULT-VALUE}).")
  String time = "2";

  @Option(
      names = {"-O", "--omit"},
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Before that, not counted (default: ${DEFAULT-VALUE}).")
  String omit = "0";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "20",
      description = "Messages of each stop-and-wait run (default: ${DEFAULT-VALUE}).")
  int count = 20;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Runs of each; 6 are the fewest that show a difference (default: ${DEFAULT-VALUE}).")
  int repeat = 6;

  @Option(
      names = "--so-far",
      paramLabel = "FILE",
      description =
          "Keep the result in FILE after each run, marked incomplete: what is left of it when this"
              + " machine dies.")
  @Nullable Path soFar;

  @Mixin NetPathOptions path = new NetPathOptions();
  @Mixin NetResultFiles written = new NetResultFiles();

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() throws InterruptedException {
    written.checkWritable();
    ResultFiles.checkWritable(soFar);
    if (join) {
      return join();
    }
    if (files.size() != 1) {
      throw usage("a matrix needs one inventory, or --join and results");
    }
    Inventory inventory = Inventory.read(files.get(0));
    if (self != null && !inventory.names().contains(self)) {
      throw usage("--self is one of " + String.join(", ", inventory.names()) + ": " + self);
    }
    MatrixRun run = new MatrixRun(plan(), path, self == null ? "here" : self, targets(inventory));
    Output output = Output.standard(written.json);
    ResultRecord.Builder result = ResultRecord.of(Matrix.COMMAND);
    result.fact(Keys.MEASURED_BY, self == null ? "here" : self);
    result.fact(Keys.HOSTS, String.join(",", hosts(inventory)));
    NetDoctor.ofThisMachine().warnings().forEach(result::warning);
    try (NetSession session = NetSession.open()) {
      ExitCode code = run.measure(session, Progress.standard(output), result, () -> keep(result));
      ResultRecord record = result.build(code == ExitCode.DONE, code.value());
      show(record, output);
      return code.value();
    }
  }

  /** A file that somebody may read meanwhile changes as a whole or not at all. */
  private void keep(ResultRecord.Builder result) {
    ResultFiles.write(
        soFar,
        file -> {
          Path part = file.resolveSibling("." + file.getFileName() + ".part");
          Files.writeString(part, result.build(false, ExitCode.INCOMPLETE.value()).toJson() + "\n");
          Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        });
  }

  /** A name stands for a host in the tables, so this one has to be told from those listed. */
  private List<String> hosts(Inventory inventory) {
    List<String> names = new ArrayList<>(inventory.names());
    if (self == null) {
      if (names.contains("here")) {
        throw usage("a host has the name 'here'; say --self, or give it another");
      }
      names.add(0, "here");
    }
    return names;
  }

  private List<Host> targets(Inventory inventory) {
    Set<String> wanted = new LinkedHashSet<>(to.isEmpty() ? inventory.names() : to);
    for (String name : wanted) {
      if (!inventory.names().contains(name)) {
        throw usage("--to is of " + String.join(", ", inventory.names()) + ": " + name);
      }
    }
    List<Host> targets =
        inventory.hosts().stream()
            .filter(host -> wanted.contains(host.name()) && !host.name().equals(self))
            .toList();
    if (targets.isEmpty()) {
      throw usage("the inventory has no other host");
    }
    return targets;
  }

  private MatrixPlan plan() {
    for (String address : addresses) {
      if (!address.equals("internal") && !address.equals("external")) {
        throw usage("--addresses are internal, external: " + address);
      }
    }
    if (!List.of("up", "down", "both").contains(direction)) {
      throw usage("--direction is up, down or both: " + direction);
    }
    CasesOption.checkRepeat(repeat);
    if (count < 1) {
      throw usage("--count must be at least 1: " + count);
    }
    long micros = OptionValues.micros("-t", time);
    if (micros == 0) {
      throw usage("-t must be above 0");
    }
    List<Mode> known = CasesOption.modes(modes);
    try {
      return MatrixPlan.of(
          cases.mechanisms(),
          known,
          CasesOption.rates(rates),
          length == null ? 0 : OptionValues.bytes("-l", length),
          micros,
          OptionValues.micros("-O", omit),
          count,
          direction,
          List.copyOf(new LinkedHashSet<>(addresses)),
          repeat);
    } catch (IllegalArgumentException wrong) {
      throw usage("" + wrong.getMessage());
    }
  }

  private int join() {
    if (files.isEmpty()) {
      throw usage("--join needs results");
    }
    List<ResultRecord> results = new ArrayList<>();
    ResultRecord.Builder joined = ResultRecord.of(Matrix.COMMAND);
    boolean complete = true;
    for (Path file : files) {
      ResultRecord result = NetResults.read(file);
      if (!result.command().equals(Matrix.COMMAND)) {
        throw usage(file + " is a result of '" + result.command() + "', not of a matrix");
      }
      results.add(result);
      result.rows().forEach(joined::row);
      String who = result.facts().getOrDefault(Keys.MEASURED_BY, file.toString());
      result.warnings().forEach(warning -> joined.warning(who + ": " + warning));
      complete &= result.complete();
    }
    joined.fact(Keys.HOSTS, String.join(",", Matrix.of(results).hosts()));
    joined.fact(Keys.MEASURED_BY, "joined");
    Output output = Output.standard(written.json);
    ExitCode code = complete ? ExitCode.DONE : ExitCode.INCOMPLETE;
    MatrixRun.sum(Matrix.of(results), joined);
    ResultRecord record = joined.build(complete, code.value());
    show(record, output);
    return code.value();
  }

  private void show(ResultRecord record, Output output) {
    MatrixRun.lines(Matrix.of(List.of(record))).forEach(output::line);
    output.json(record.toJson());
    written.write(record);
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}
