package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.kompics.KompicsSystem;
import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.ledbat.command.Addresses;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.Keys;
import ebb.net.ledbat.LedbatClientOptions;
import ebb.net.load.Load;
import ebb.net.load.LoadOutcome;
import ebb.net.load.LoadPlan;
import ebb.net.load.LoadRecord;
import ebb.net.load.LoadRun;
import ebb.net.load.LoadText;
import ebb.net.mechanism.OptionValues;
import ebb.net.mechanism.TypeOfService;
import ebb.net.port.RunDirector;
import ebb.net.report.RunPage;
import ebb.net.tcp.TcpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net load}. It owns the options and the exit code. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    description = {
      "Measure how long others' packets take while the path is loaded.",
      "The path is the one to a server ('ebb net server'). An independent UDP probe goes all the time:",
      "first alone, then beside each load, down, up and both ways."
    })
public final class NetLoadCommand implements EbbCommand {
  private static final long SETTLE_MICROS = 2_000_000;
  private static final long STOP_MILLIS = 8_000;
  private static final int MAX_STREAMS = 64;

  @Parameters(paramLabel = "HOST[:PORT]", description = "The server.")
  String host = "";

  @Option(
      names = "--loads",
      paramLabel = "NAME",
      split = ",",
      description =
          "What loads the path: tcp, or a LEDBAT controller such as ledbat or scavenger"
              + " (default: tcp,ledbat,scavenger).")
  List<String> loads = List.of("tcp", "ledbat", "scavenger");

  @Option(
      names = "--ways",
      paramLabel = "WAY",
      split = ",",
      description = "down, up or both (default: all).")
  List<String> ways = List.of("down", "up", "both");

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      defaultValue = "8",
      description =
          "Of each load and way; the first 2 s are not counted (default: ${DEFAULT-VALUE}).")
  String time = "8";

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      defaultValue = "4",
      description = "Without a load, first of all (default: ${DEFAULT-VALUE}).")
  String idle = "4";

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      defaultValue = "0.02",
      description = "Between echoes of the probe (default: ${DEFAULT-VALUE}).")
  String interval = "0.02";

  @Option(
      names = {"-P", "--parallel"},
      paramLabel = "N",
      defaultValue = "4",
      description = "Streams of a load, each way (default: ${DEFAULT-VALUE}).")
  int parallel = 4;

  @Option(
      names = "--dscp",
      paramLabel = "MARK",
      description = "The probe's mark, both ways: 0 to 63, or a name such as ef or le.")
  String dscp = "0";

  @Option(
      names = "--load-dscp",
      paramLabel = "MARK",
      description = "The mark of what loads the path, both ways.")
  String loadDscp = "0";

  @Mixin NetPathOptions path = new NetPathOptions();
  @Mixin NetResultFiles files = new NetResultFiles();
  @Mixin LiveOption page = new LiveOption();

  @Override
  public String group() {
    return "net";
  }

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public Integer call() throws InterruptedException {
    files.checkWritable();
    LoadPlan plan = plan();
    Output output = Output.standard(files.json);
    Progress progress = Progress.everySecond(output);
    ResultRecord.Builder result = ResultRecord.of("net load");
    result.fact(Keys.SERVER, Addresses.text(plan.server()));
    CompletableFuture<Void> interrupted = new CompletableFuture<>();
    try (Interrupts.Registration interrupts =
            Interrupts.untilClosed(
                STOP_MILLIS, ExitCode.INCOMPLETE, () -> interrupted.complete(null));
        KompicsSystem<RunDirector> runs = RunDirector.start()) {
      LoadRun run = new LoadRun(plan, runs.handle(), interrupted);
      long began = System.nanoTime();
      try (LiveOption.Shown live = page.serve(output, () -> running(run, began))) {
        return measure(run, output, progress, result, live).value();
      }
    }
  }

  private static HtmlReport running(LoadRun run, long beganNanos) {
    return RunPage.running(run.soFar(), (System.nanoTime() - beganNanos) / 1_000);
  }

  private ExitCode measure(
      LoadRun run,
      Output output,
      Progress progress,
      ResultRecord.Builder result,
      LiveOption.Shown live)
      throws InterruptedException {
    LoadOutcome outcome = run.measure(progress.lineColumns(), line -> progress.update(() -> line));
    progress.clear();
    LoadText.lines(outcome).forEach(output::line);
    EbbException failure = outcome.failure();
    if (failure != null) {
      output.note("ebb: " + failure.getMessage());
    }
    LoadRecord.add(outcome, result);
    // What was measured before it broke is kept, as for every run that is incomplete.
    ExitCode code = failure == null ? ExitCode.DONE : ExitCode.INCOMPLETE;
    ResultRecord record = result.build(failure == null, code.value());
    output.json(record.toJson());
    files.write(record);
    live.over(() -> RunPage.of(List.of(record)));
    return code;
  }

  private LoadPlan plan() {
    if (parallel < 1 || parallel > MAX_STREAMS) {
      throw usage("-P is between 1 and " + MAX_STREAMS + ": " + parallel);
    }
    List<Load.Way> wanted = new ArrayList<>();
    for (String name : ways) {
      wanted.add(way(name));
    }
    List<Load> chosen = new ArrayList<>();
    for (String name : loads) {
      chosen.add(load(name));
    }
    try {
      return new LoadPlan(
          path.server(host),
          chosen,
          wanted,
          parallel,
          OptionValues.micros("--idle", idle),
          OptionValues.micros("-t", time),
          SETTLE_MICROS,
          OptionValues.micros("-i", interval),
          TypeOfService.ofDscp("--dscp", dscp),
          TypeOfService.ofDscp("--load-dscp", loadDscp),
          path.key(),
          path.connectMicros() / 1_000);
    } catch (IllegalArgumentException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }

  private static Load.Way way(String name) {
    for (Load.Way known : Load.Way.values()) {
      if (known.words().equals(name)) {
        return known;
      }
    }
    throw usage("--ways takes down, up and both: " + name);
  }

  private static Load load(String name) {
    if (name.equals("tcp")) {
      return new Load("TCP", "tcp", new TcpOptions().opening());
    }
    try {
      // What comes in is held back at this end, whatever the server sends by.
      LedbatConfig config =
          LedbatConfig.defaults().toBuilder()
              .ebbOnly(true)
              .controller(name)
              .receiveController(name)
              .build();
      String shown = name.equals("ledbat") ? name.toUpperCase(Locale.ROOT) : name;
      return new Load(shown, "ledbat", LedbatClientOptions.opening(config));
    } catch (IllegalArgumentException unknown) {
      throw usage("--loads: " + unknown.getMessage());
    }
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}
