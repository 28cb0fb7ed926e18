package ebb.net.command;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.report.HtmlReport;
import ebb.core.result.ResultRecord;
import ebb.core.stats.Summary;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.report.RateFormat;
import ebb.net.report.RunPage;
import ebb.net.report.RunRecord;
import ebb.net.report.RunText;
import ebb.net.run.FlowSample;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net client}. It owns the order and the exit code. */
@Command(
    name = "client",
    modelTransformer = MechanismOptions.Transformer.class,
    description = {
      "Measure the path to a server with iperf3's options.",
      "The server is 'ebb net server', or with --iperf3 'iperf3 -s'. 'ebb net -c HOST' is the same."
    })
public final class NetClientCommand implements EbbCommand, MechanismOptions.Holder {
  @Parameters(arity = "0..1", paramLabel = "HOST[:PORT]", description = "The server.")
  @Nullable String host;

  @Option(
      names = {"-c", "--client"},
      paramLabel = "HOST",
      description = "The server, as iperf3 has it.")
  @Nullable String client;

  @Option(
      names = {"-V", "--verbose"},
      description = "Say also what is measured with what, and what it cost.")
  boolean verbose;

  @Option(
      names = {"-T", "--title"},
      paramLabel = "TEXT",
      description = "Begin each line with this.")
  @Nullable String title;

  @Option(names = "--extra-data", paramLabel = "TEXT", description = "Put this into the result.")
  @Nullable String extraData;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "LETTER",
      description =
          "Rates in k, m, g, t: kbit/s to Tbit/s, or K, M, G, T: KiB/s to TiB/s (default: what"
              + " fits).")
  @Nullable String format;

  @Mixin ProcessOptions process = new ProcessOptions();
  @Mixin NetClientOptions options = new NetClientOptions();
  @Mixin NetResultFiles files = new NetResultFiles();
  @Mixin LiveOption page = new LiveOption();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Do it so often, and sum up (default: ${DEFAULT-VALUE}).")
  int repeat = 1;

  @Option(
      names = "--json-stream",
      description = "Print a line of JSON for the start, each interval and the end.")
  boolean jsonStream;

  /** What is said of the server that was found, until there is something to show. */
  private volatile String header = "";

  private volatile Map<String, String> server = Map.of();
  private volatile String runText = "";
  private RateFormat rates = RateFormat.FITTING;

  /** What the page shows that is served while the run goes on. */
  private ResultRecord.Builder soFar = ResultRecord.of("net client");

  @Override
  public String group() {
    return "net";
  }

  @Override
  public void addMechanisms(CommandSpec spec) {
    options.addMechanisms(spec);
  }

  @Override
  @SuppressWarnings("try") // the file is there to be closed
  public Integer call() throws InterruptedException {
    String named = client != null ? client : host;
    if (named == null || (client != null && host != null)) {
      throw new EbbException(ExitCode.USAGE, "a client needs one server: -c HOST");
    }
    if (repeat < 1) {
      throw new EbbException(ExitCode.USAGE, "--repeat must be at least 1: " + repeat);
    }
    files.checkWritable();
    rates = rateFormat();
    try (PidFile running = PidFile.write(process.pidFile)) {
      return run(options.plan(named, this::onServer)).value();
    } finally {
      options.close();
    }
  }

  private RateFormat rateFormat() {
    try {
      return format == null ? RateFormat.FITTING : RateFormat.of(format);
    } catch (IllegalArgumentException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }

  private ExitCode run(NetPlan plan) throws InterruptedException {
    ResultRecord.Builder result = ResultRecord.of("net client");
    if (title != null) {
      result.fact("title", title);
    }
    if (extraData != null) {
      result.fact("extra_data", extraData);
    }
    boolean endless = options.endless();
    try (NetSession session = endless ? NetSession.openUntilInterrupted() : NetSession.open();
        NetOutput output = NetOutput.open(files.json || jsonStream, process.logfile);
        LiveOption.Shown live = page.serve(output.output(), this::runningPage)) {
      return measure(plan, session, output, result, live);
    }
  }

  private ExitCode measure(
      NetPlan plan,
      NetSession session,
      NetOutput to,
      ResultRecord.Builder result,
      LiveOption.Shown served)
      throws InterruptedException {
    Output output = to.output();
    LiveLine live = LiveLine.on(output, rates);
    NetDoctor.ofThisMachine().warnings().forEach(result::warning);
    List<RunOutcome> outcomes = new ArrayList<>();
    NetPlan found = plan;
    EbbException failure = null;
    for (int run = 1; run <= repeat && failure == null; run++) {
      runText = repeat > 1 ? ", run " + run + " of " + repeat : "";
      beginPage();
      try {
        RunOutcome outcome =
            NetSession.await(
                session.start(found, s -> onSample(plan, s, output, live), micros -> {}));
        live.clear();
        outcomes.add(outcome);
        found = outcome.plan();
        RunText.summary(outcome, rates).forEach(line -> show(output, line));
        if (verbose) {
          RunText.cost(outcome).forEach(line -> show(output, line));
        }
        failure = outcome.failure();
      } catch (EbbException none) {
        live.clear();
        if (outcomes.isEmpty()) {
          throw none;
        }
        failure = NetFigures.afterOthers(none, run, repeat);
        result.warning("incomplete: " + failure.getMessage());
      }
    }
    facts(found).forEach(result::fact);
    ExitCode code = failure == null ? ExitCode.DONE : failure.exitCode();
    if (failure != null) {
      output.note("ebb: " + failure.getMessage());
    }
    if (repeat == 1) {
      RunRecord.add(outcomes.get(0), result);
    } else {
      repeated(outcomes, output, result);
    }
    if (to.failed()) {
      code = code == ExitCode.DONE ? ExitCode.INCOMPLETE : code;
      result.warning("the log could not be written to its end");
    }
    ResultRecord record = result.build(code == ExitCode.DONE, code.value());
    if (jsonStream) {
      output.json("{\"event\":\"end\",\"data\":" + record.toJson() + "}");
    } else {
      output.json(record.toJson());
    }
    files.write(record);
    served.over(() -> RunPage.of(List.of(record)));
    return code;
  }

  private synchronized void beginPage() {
    soFar = ResultRecord.of("net client");
  }

  private synchronized HtmlReport runningPage() {
    return RunPage.running(soFar.build(false, 0));
  }

  private synchronized void toPage(NetPlan plan, RunSample sample) {
    facts(plan).forEach(soFar::fact);
    soFar.fact(Keys.PROTOCOL, plan.spec().protocol()).fact(Keys.MODE, plan.spec().mode().text());
    sample.flows().forEach(flow -> soFar.row(RunRecord.row(plan, sample, flow)));
  }

  /** On the run's loop, before its first sample. */
  private void onServer(NetPlan actual) {
    header =
        actual.spec().name()
            + " to "
            + Addresses.text(actual.server())
            + (actual.iperf3() ? ", 'iperf3 -s', by its protocol; bytes are not verified" : "")
            + runText;
    server = facts(actual);
  }

  private static Map<String, String> facts(NetPlan plan) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(Keys.SERVER, Addresses.text(plan.server()));
    if (plan.iperf3()) {
      facts.put("server_program", "iperf3");
    }
    return facts;
  }

  private void show(Output output, String line) {
    if (!files.json && !jsonStream) {
      output.line(title == null ? line : TerminalText.printable(title) + ":  " + line);
    }
  }

  private void onSample(NetPlan plan, RunSample sample, Output output, LiveLine live) {
    live.clear();
    if (!header.isEmpty()) {
      // Not before there is something to show: who cannot be reached gets one line.
      show(output, header);
      if (verbose) {
        show(output, RunText.test(plan));
      }
      show(output, RunText.header(plan));
      header = "";
      stream(output, "start", new LinkedHashMap<>(server));
    }
    RunText.interval(plan, sample, rates).forEach(line -> show(output, line));
    for (FlowSample flow : sample.flows()) {
      stream(output, "interval", RunRecord.row(plan, sample, flow));
    }
    if (page.wanted()) {
      toPage(plan, sample);
    }
    live.show(sample);
  }

  private void stream(Output output, String event, Map<String, @Nullable Object> data) {
    if (!jsonStream) {
      return;
    }
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("event", event);
    Map<String, @Nullable Object> finite = new LinkedHashMap<>(data);
    finite.replaceAll(
        (name, value) -> value instanceof Double d && !Double.isFinite(d) ? null : value);
    line.put("data", finite);
    try {
      output.json(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(line));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Rates and times of all runs; one row a run. */
  private void repeated(List<RunOutcome> outcomes, Output output, ResultRecord.Builder result) {
    result.figure("runs", outcomes.size());
    TestSpec spec = outcomes.get(0).plan().spec();
    result.fact(Keys.PROTOCOL, spec.protocol()).fact(Keys.MODE, spec.mode().text());
    for (RunOutcome outcome : outcomes) {
      result.row(NetFigures.row(outcome));
      outcome.disagreements().forEach(line -> result.warning("the ends do not agree: " + line));
      if (outcome.failure() != null) {
        result.warning("incomplete: " + outcome.failure().getMessage());
      }
    }
    for (String name : NetFigures.NAMES) {
      double[] values = NetFigures.values(outcomes, name);
      if (values.length == 0) {
        continue;
      }
      Summary summary = Summary.of(values);
      result.figure("min_" + name, summary.min()).figure("mean_" + name, summary.mean());
      result.figure("p50_" + name, summary.median()).figure("max_" + name, summary.max());
      show(
          output,
          String.format(
              Locale.ROOT,
              "%-28s min %s, avg %s, p50 %s, max %s",
              name,
              NetFigures.text(name, summary.min()),
              NetFigures.text(name, summary.mean()),
              NetFigures.text(name, summary.median()),
              NetFigures.text(name, summary.max())));
    }
  }
}
