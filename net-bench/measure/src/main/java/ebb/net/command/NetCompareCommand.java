package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.rand.SeededRandom;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Comparison;
import ebb.core.stats.Comparison.Verdict;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.run.NetPlan;
import ebb.net.server.NetServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net compare}. The statistics are {@link Comparison}'s. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    modelTransformer = MechanismOptions.Transformer.class,
    description = {
      "Say whether B differs from A, from the repetitions of each.",
      "A and B are results of 'ebb net client --repeat 6 -J' or more. Claims a difference only where the runs show one.",
      "Or measure by Ebb and iperf3 in turn, and print Ebb's efficiency beside it: --with iperf3."
    })
public final class NetCompareCommand implements EbbCommand, MechanismOptions.Holder {
  private static final double CONFIDENCE = 0.95;
  private static final long SEED = 6;

  /** Which figures, and whether more of them is better. */
  private record Figure(String name, String better, String worse) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure(Keys.RECEIVED_RATE, "faster", "slower"),
          new Figure(Keys.TRANSMISSION_MICROS, "longer", "shorter"),
          new Figure(Keys.ROUND_TRIP_P50, "longer", "shorter"),
          new Figure(Keys.ROUND_TRIP_P99, "longer", "shorter"),
          new Figure(Keys.JITTER_MICROS, "more", "less"));

  @Parameters(
      arity = "0..2",
      paramLabel = "A B",
      description = "Two results; with --with, the server, or none for loopback.")
  List<String> named = List.of();

  @Option(
      names = "--with",
      paramLabel = "TOOL",
      description =
          "Measure by Ebb and by iperf3 in turn, with these options of 'ebb net client': HOST runs"
              + " 'ebb net server' and 'iperf3 -s'.")
  @Nullable String tool;

  @Option(
      names = "--iperf3-port",
      paramLabel = "PORT",
      defaultValue = "5201",
      description = "Where iperf3 listens on HOST (default: ${DEFAULT-VALUE}).")
  String iperf3Port = "5201";

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "6",
      description = "Runs of each with --with (default: ${DEFAULT-VALUE}).")
  int repeat = 6;

  @Mixin NetClientOptions options = new NetClientOptions();

  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "net";
  }

  @Override
  public void addMechanisms(CommandSpec spec) {
    options.addMechanisms(spec);
  }

  @Override
  public Integer call() throws InterruptedException {
    if (tool != null) {
      return beside(tool);
    }
    if (named.size() != 2) {
      throw new EbbException(ExitCode.USAGE, "compare needs two results, or --with iperf3");
    }
    Path a = Path.of(named.get(0));
    Path b = Path.of(named.get(1));
    ResultRecord before = NetResults.read(a);
    ResultRecord after = NetResults.read(b);
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net compare");
    result.fact("a", a.toString()).fact("b", b.toString());
    for (ResultRecord each : List.of(before, after)) {
      if (!each.complete()) {
        result.warning("one of the results is incomplete");
        output.note("ebb: one of the results is incomplete");
      }
    }
    for (String fact : List.of(Keys.PROTOCOL, Keys.MODE, Keys.SERVER)) {
      if (!Objects.equals(before.facts().get(fact), after.facts().get(fact))) {
        String line = "A and B differ in their " + fact;
        result.warning(line);
        output.note("ebb: " + line);
      }
    }
    int compared = 0;
    for (Figure figure : FIGURES) {
      double[] first = values(before, figure.name);
      double[] second = values(after, figure.name);
      boolean comparable = first.length > 0 && second.length > 0 && min(first) > 0;
      if (comparable) {
        compared++;
        Comparison comparison = Comparison.of(first, second, CONFIDENCE, new SeededRandom(SEED));
        output.line(figure.name + ": " + words(figure, comparison));
        result.fact(figure.name, comparison.verdict().toString());
        result.figure(figure.name + "_ratio", comparison.medianRatio());
        comparison
            .medianRatioInterval()
            .ifPresent(
                interval -> {
                  result.figure(figure.name + "_ratio_low", interval.low());
                  result.figure(figure.name + "_ratio_high", interval.high());
                });
      }
    }
    if (compared == 0) {
      throw new EbbException(
          ExitCode.USAGE,
          "nothing to compare: both must be results of 'ebb net client --repeat N -J'");
    }
    output.json(result.build(true, ExitCode.DONE.value()).toJson());
    return ExitCode.DONE.value();
  }

  private int beside(String with) throws InterruptedException {
    if (!with.equals("iperf3")) {
      throw new EbbException(ExitCode.USAGE, "--with knows iperf3: " + with);
    }
    if (named.size() > 1 || repeat < 1) {
      throw new EbbException(ExitCode.USAGE, "--with takes one HOST, and --repeat at least 1");
    }
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net compare");
    NetDoctor.ofThisMachine().warnings().forEach(result::warning);
    try (NetSession session = NetSession.open();
        NetServer own = named.isEmpty() ? NetSweepCommand.ownServer() : null) {
      NetPlan plan = options.plan(own == null ? named.get(0) : Addresses.text(own.localAddress()));
      try (Iperf3Client iperf3 =
          own == null
              ? Iperf3Client.at(plan.server().getAddress(), Addresses.port(iperf3Port, 1))
              : Iperf3Client.onLoopback()) {
        var unused = iperf3.options(plan); // What it cannot do is said before anything is measured.
        if (own != null) {
          result.warning("over loopback, Ebb's two ends are in one process, iperf3's in two");
        }
        ExitCode code = new BesideRun(plan, repeat, iperf3).measure(session, output, result);
        output.json(result.build(code == ExitCode.DONE, code.value()).toJson());
        return code.value();
      }
    } finally {
      options.close();
    }
  }

  private static double[] values(ResultRecord result, String name) {
    return result.rows().stream()
        .filter(row -> row.containsKey(Keys.TRANSMISSION_MICROS))
        .map(row -> row.get(name))
        .filter(Number.class::isInstance)
        .mapToDouble(value -> ((Number) value).doubleValue())
        .toArray();
  }

  private static double min(double[] values) {
    double min = Double.MAX_VALUE;
    for (double value : values) {
      min = Math.min(min, value);
    }
    return min;
  }

  /** {@code faster by 12% [9% to 15%]}. */
  private static String words(Figure figure, Comparison comparison) {
    if (comparison.verdict() == Verdict.TOO_FEW_RUNS) {
      return "too few runs to tell, at least "
          + Comparison.runsNeeded(CONFIDENCE)
          + " of each are needed";
    }
    return comparison.words(figure.better, figure.worse);
  }
}
