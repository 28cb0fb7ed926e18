package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.ResultFiles;
import ebb.core.kompics.KompicsSystem;
import ebb.core.result.ResultRecord;
import ebb.core.units.Micros;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.ledbat.LedbatClientOptions;
import ebb.net.port.RunDirector;
import ebb.net.yield.Thresholds;
import ebb.net.yield.YieldOutcome;
import ebb.net.yield.YieldPlan;
import ebb.net.yield.YieldRun;
import ebb.net.yield.Yielder;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code ebb net yield}. It owns the options, the order and the verdict's exit code. */
@Command(
    name = "yield",
    mixinStandardHelpOptions = true,
    description = {
      "Measure whether LEDBAT gets out of TCP's way.",
      "The path is the one to a server ('ebb net server').",
      "TCP runs alone, LEDBAT runs alone, both run, TCP leaves; all bytes go to the server, or"
          + " with",
      "--receiver come from it.",
      "Ends with exit code 99 when a threshold is missed."
    })
public final class NetYieldCommand implements EbbCommand {
  private static final long STOP_MILLIS = 3_000;
  private static final String TCP_JOINS = "tcp-joins";

  @Parameters(paramLabel = "HOST[:PORT]", description = "The server.")
  String host = "";

  @Mixin LedbatClientOptions ledbat = new LedbatClientOptions();

  @Option(
      names = "--tcp",
      paramLabel = "NAME",
      defaultValue = "cubic",
      description =
          "TCP's congestion control, one that this kernel has, such as cubic, bbr or reno, or"
              + " 'default' for the system's own (default: ${DEFAULT-VALUE}).")
  String tcp = "cubic";

  @Option(
      names = "--receiver",
      description =
          "Download instead: the flow that is to yield is TCP that this end keeps in the"
              + " background, whatever sends there, and stands in LEDBAT's place. The server's"
              + " kernel chooses the congestion control of both.")
  boolean receiver;

  @Option(
      names = "--ledbat",
      description =
          "With --receiver: the flow that is to yield is LEDBAT, whose receiver, this end, gives"
              + " way by --controller, whatever controller the server sends by.")
  boolean byLedbat;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description =
          "tcp-joins: LEDBAT for 30 s, which TCP joins at 14 s and leaves at 24 s (--alone 14s"
              + " --contended 10s --after 6s).")
  @Nullable String preset;

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--first",
      paramLabel = "WHO",
      defaultValue = "ledbat",
      description = "Who has the link when they meet: ledbat or tcp (default: ${DEFAULT-VALUE}).")
  YieldPlan.First first = YieldPlan.First.LEDBAT;

  @Option(
      names = "--tcp-alone",
      paramLabel = "TIME",
      description = "TCP alone, first of all (default: as long as TCP runs later).")
  @Nullable Micros tcpAlone;

  @Option(
      names = "--alone",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "LEDBAT alone (default: ${DEFAULT-VALUE}).")
  Micros alone = Micros.parse("10s");

  @Option(
      names = "--lead",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "With --first tcp: TCP before LEDBAT joins (default: ${DEFAULT-VALUE}).")
  Micros lead = Micros.parse("5s");

  @Option(
      names = "--contended",
      paramLabel = "TIME",
      defaultValue = "20s",
      description = "Both (default: ${DEFAULT-VALUE}).")
  Micros contended = Micros.parse("20s");

  @Option(
      names = "--after",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "LEDBAT when TCP has left (default: ${DEFAULT-VALUE}).")
  Micros after = Micros.parse("10s");

  @Option(
      names = "--max-share",
      paramLabel = "SHARE",
      defaultValue = "5%",
      description =
          "LEDBAT's share of the bytes while both run, at most; none for no bound"
              + " (default: ${DEFAULT-VALUE}).")
  String maxShare = "5%";

  @Option(
      names = "--max-tcp-loss",
      paramLabel = "SHARE",
      defaultValue = "6%",
      description = "What TCP may lose of its rate alone (default: ${DEFAULT-VALUE}).")
  String maxTcpLoss = "6%";

  @Option(
      names = "--max-recovery",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "LEDBAT at 90%% of its rate alone again, at most (default: ${DEFAULT-VALUE}).")
  String maxRecovery = "2s";

  @Option(
      names = "--max-queue",
      paramLabel = "TIME",
      defaultValue = "30ms",
      description = "Median queuing delay of LEDBAT alone, at most (default: ${DEFAULT-VALUE}).")
  String maxQueue = "30ms";

  @Mixin NetPathOptions path = new NetPathOptions();

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Write an HTML page with the time line of both flows.")
  @Nullable Path plot;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "Write CSV with the columns of pyledbat's log: a row each 0.1 s from LEDBAT's start.")
  @Nullable Path log;

  @Mixin LiveOption page = new LiveOption();

  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "net";
  }

  @Override
  @SuppressWarnings("try") // the registration is there to be closed
  public Integer call() throws InterruptedException {
    YieldPlan plan;
    Thresholds thresholds;
    applyPreset();
    try {
      plan = plan(ledbat.config());
      thresholds = thresholds();
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
    YieldRun.checkTcp(plan.tcp());
    ResultFiles.checkWritable(plot);
    ResultFiles.checkWritable(log);
    InetSocketAddress server = path.server(host);
    Output output = Output.standard(json);
    Progress progress = Progress.everySecond(output);
    ResultRecord.Builder result = ResultRecord.of("net yield");
    CountDownLatch shown = new CountDownLatch(1);
    CompletableFuture<YieldRun> running = new CompletableFuture<>();
    try (Interrupts.Registration interrupts =
            Interrupts.onInterrupt(STOP_MILLIS, ExitCode.INCOMPLETE, () -> stop(running, shown));
        KompicsSystem<RunDirector> runs = RunDirector.start()) {
      YieldRun run =
          new YieldRun(
              plan,
              server,
              ledbat.tracedConfig(),
              path.key(),
              path.connectMicros() / 1_000,
              runs.handle());
      running.complete(run);
      try (LiveOption.Shown live = page.serve(output, () -> run.soFar().running())) {
        YieldOutcome outcome =
            run.measure(progress.isTerminal(), line -> progress.update(() -> line));
        progress.clear();
        ExitCode code = show(outcome, thresholds, result, output);
        live.over(() -> outcome.page(thresholds));
        return code.value();
      }
    } finally {
      ledbat.close();
      shown.countDown();
    }
  }

  /** In the JVM's end: the command's own thread shows what there is. */
  private static void stop(CompletableFuture<YieldRun> running, CountDownLatch shown) {
    var unused = running.thenAccept(YieldRun::interrupt);
    try {
      if (!shown.await(STOP_MILLIS / 2, TimeUnit.MILLISECONDS)) {
        System.err.println("ebb: interrupted");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void applyPreset() {
    if (preset == null) {
      return;
    }
    if (!preset.equals(TCP_JOINS)) {
      throw new EbbException(
          ExitCode.USAGE, "--preset: there is one, " + TCP_JOINS + ": " + preset);
    }
    ParseResult given = spec.commandLine().getParseResult();
    for (String name : List.of("--alone", "--contended", "--after", "--first", "--lead")) {
      if (given.hasMatchedOption(name)) {
        throw new EbbException(ExitCode.USAGE, "--preset and " + name + " exclude each other");
      }
    }
    alone = Micros.parse("14s");
    contended = Micros.parse("10s");
    after = Micros.parse("6s");
  }

  private YieldPlan plan(LedbatConfig config) {
    boolean tcpLeads = first == YieldPlan.First.TCP;
    long leadMicros = tcpLeads ? lead.micros() : 0;
    return new YieldPlan(
            Yielder.LEDBAT_SENDER,
            config.controller(),
            tcp,
            first,
            tcpAlone == null ? leadMicros + contended.micros() : tcpAlone.micros(),
            alone.micros(),
            leadMicros,
            contended.micros(),
            after.micros())
        .by(yielder());
  }

  private Yielder yielder() {
    if (!receiver) {
      return Yielder.LEDBAT_SENDER;
    }
    return byLedbat ? Yielder.LEDBAT_RECEIVER : Yielder.TCP_RECEIVER;
  }

  private Thresholds thresholds() {
    return new Thresholds(
        UpperBound.ratio("--max-share", maxShare),
        UpperBound.ratio("--max-tcp-loss", maxTcpLoss),
        UpperBound.micros(maxRecovery),
        UpperBound.micros(maxQueue));
  }

  private ExitCode show(
      YieldOutcome outcome, Thresholds thresholds, ResultRecord.Builder result, Output output) {
    outcome.lines(thresholds).forEach(output::line);
    EbbException failure = outcome.failure();
    ExitCode code =
        failure != null
            ? failure.exitCode()
            : outcome.holds(thresholds) ? ExitCode.DONE : ExitCode.THRESHOLD_FAILED;
    if (failure != null) {
      output.note("ebb: " + failure.getMessage());
    }
    if (ResultFiles.write(plot, file -> outcome.page(thresholds).writeTo(file))) {
      output.line("Page: " + plot);
    }
    outcome.record(thresholds, result);
    ResultRecord record = result.build(failure == null, code.value());
    if (ResultFiles.write(log, file -> Files.writeString(file, PyledbatLog.of(record)))) {
      output.line("Log: " + log);
    }
    output.json(record.toJson());
    return code;
  }
}
