package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.ResultFiles;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoReply;
import ebb.net.echo.EchoSchedule;
import ebb.net.echo.MarkLog;
import ebb.net.mechanism.OptionValues;
import ebb.net.mechanism.ServiceMark;
import ebb.net.mechanism.TypeOfService;
import ebb.net.report.EchoText;
import ebb.net.report.RateFormat;
import ebb.net.report.RunPage;
import ebb.net.report.RunRecord;
import ebb.net.report.RunText;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.udp.UdpClientOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net ping}. It owns the options and the exit code. */
@Command(
    name = "ping",
    mixinStandardHelpOptions = true,
    modelTransformer = MechanismOptions.Transformer.class,
    description = {
      "Measure round trips and losses to a server, without raw sockets.",
      "The server is 'ebb net server'. By UDP each echo goes at its time, whatever has become of the",
      "others; by TCP or LEDBAT, which lose nothing, each waits for the answer to the one before."
    })
public final class NetPingCommand implements EbbCommand, MechanismOptions.Holder {
  private static final int USUAL_COUNT = 10;
  private static final long SECOND_MICROS = 1_000_000;

  /** A session of an endless ping; another follows. */
  private static final long SESSION_MICROS = 3_600_000_000L;

  /** ECT(0). */
  private static final int ECN_CAPABLE = 2;

  private static final long MIN_INTERVAL_MICROS = 10;
  private static final long MAX_WAIT_MICROS = 20_000_000;

  private final MechanismOptions mechanisms = new MechanismOptions("udp");

  @Parameters(paramLabel = "HOST[:PORT]", description = "The server.")
  String host = "";

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      description = "Echoes (default: " + USUAL_COUNT + ").")
  @Nullable Integer count;

  @Option(
      names = {"-t", "--time"},
      paramLabel = "SECONDS",
      description = "For so long, instead of a number of echoes.")
  @Nullable String time;

  @Option(
      names = "--continuous",
      description = "Until interrupted, with a line a second; goes on when the server comes back.")
  boolean continuous;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      defaultValue = "0.2",
      description =
          "Between echoes; 0 for as soon as answered, or after 10 ms (default: ${DEFAULT-VALUE}).")
  String interval = "0.2";

  @Option(
      names = {"-l", "--length"},
      paramLabel = "BYTES",
      defaultValue = "64",
      description = "Of an echo (default: ${DEFAULT-VALUE}).")
  String length = "64";

  @Option(
      names = {"-W", "--timeout"},
      paramLabel = "SECONDS",
      defaultValue = "1",
      description =
          "For an answer; one that comes later is late, and none at all is a loss"
              + " (default: ${DEFAULT-VALUE}).")
  String wait = "1";

  @Option(
      names = "--dscp",
      paramLabel = "MARK",
      description =
          "The echoes' mark, both ways: 0 to 63, or a name such as ef or le. By UDP it is told"
              + " whether it arrives, and ECN too.")
  String dscp = "0";

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the summary.")
  boolean quiet;

  @Option(names = "--histogram", description = "Show the round trips by bars, too.")
  boolean histogram;

  @Option(
      names = "--metrics",
      paramLabel = "[ADDRESS:]PORT",
      description = "Answer Prometheus there; on loopback without an address.")
  @Nullable String metrics;

  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write a line for each echo, or each second of --continuous, as it comes.")
  @Nullable Path csv;

  @Option(names = "--plot", paramLabel = "FILE", description = "Write an HTML page.")
  @Nullable Path plot;

  @Mixin NetPathOptions path = new NetPathOptions();

  private volatile @Nullable PingMetrics serving;

  @Override
  public String group() {
    return "net";
  }

  @Override
  public void addMechanisms(CommandSpec spec) {
    mechanisms.addChoice(spec);
  }

  @Override
  public Integer call() throws InterruptedException {
    ResultFiles.checkWritable(csv);
    ResultFiles.checkWritable(plot);
    InetSocketAddress listening = metrics == null ? null : LiveOption.address(metrics, 1);
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net ping");
    if (!mechanisms.mechanism().echoes()) {
      return write(oneByOne(output, result), output, result);
    }
    long waitMicros = OptionValues.micros("-W", wait);
    if (waitMicros < 1_000 || waitMicros > MAX_WAIT_MICROS) {
      throw usage("-W is between 1 ms and 20 s: " + wait);
    }
    Told told = new Told(output);
    EchoLog log = new EchoLog(waitMicros, !continuous, told::onReply);
    MarkLog marks = marks();
    EchoPing ping = new EchoPing(plan(log, marks), log, marks, output);
    told.server = ping.server();
    ping.facts(result);
    try (NetSession session = continuous ? NetSession.openEndless() : NetSession.open();
        CsvLines lines = CsvLines.open(continuous ? csv : null)) {
      serving =
          listening == null
              ? null
              : PingMetrics.serve(listening, ping.server(), log, ping::connected);
      if (continuous) {
        ping.endlessly(session, result, lines::add);
      }
      ExitCode code = continuous ? ExitCode.DONE : ping.once(session, result);
      if (histogram) {
        EchoText.histogram(log.roundTrips()).forEach(output::line);
      }
      return write(code, output, result);
    } finally {
      PingMetrics open = serving;
      if (open != null) {
        open.close();
      }
    }
  }

  private int write(ExitCode code, Output output, ResultRecord.Builder result) {
    ResultRecord record = result.build(code == ExitCode.DONE, code.value());
    output.json(record.toJson());
    if (!continuous) {
      ResultFiles.write(csv, file -> java.nio.file.Files.writeString(file, record.rowsToCsv()));
    }
    ResultFiles.write(plot, file -> RunPage.of(List.of(record)).writeTo(file));
    return code.value();
  }

  /** What is said of each answer. */
  private final class Told {
    private final Output output;
    private volatile String server = "";

    Told(Output output) {
      this.output = output;
    }

    void onReply(EchoReply reply) {
      PingMetrics to = serving;
      if (to != null) {
        to.onReply(reply);
      }
      if (!quiet && !json && !continuous) {
        output.line(EchoText.reply(reply, bytes(), server));
      }
    }
  }

  private int bytes() {
    return (int) Math.min(Integer.MAX_VALUE, OptionValues.bytes("-l", length));
  }

  private long intervalMicros() {
    long micros = OptionValues.micros("-i", interval);
    if (micros != 0 && micros < MIN_INTERVAL_MICROS) {
      throw usage("-i is 0, or at least 10 us: " + interval);
    }
    return micros;
  }

  /** How many, unless a time was given; 0 then. */
  private int howMany() {
    if (count != null && count < 1) {
      throw usage("-c must be at least 1: " + count);
    }
    if ((count != null ? 1 : 0) + (time != null ? 1 : 0) + (continuous ? 1 : 0) > 1) {
      throw usage("-c, -t and --continuous exclude each other");
    }
    return count != null ? count : time != null || continuous ? 0 : USUAL_COUNT;
  }

  /** Asks for the mark that was named, and for ECN beside it; null without one. */
  private @Nullable MarkLog marks() {
    int tos = TypeOfService.ofDscp("--dscp", dscp);
    return tos == 0 ? null : new MarkLog(List.of(tos, tos | ECN_CAPABLE));
  }

  private void mark(TestSpec.Builder spec) {
    int tos = TypeOfService.ofDscp("--dscp", dscp);
    if (tos != 0) {
      ServiceMark.put(spec, tos);
    }
  }

  private NetPlan plan(EchoLog log, @Nullable MarkLog marks) {
    int wanted = howMany();
    long micros = continuous ? SESSION_MICROS : time == null ? 0 : OptionValues.micros("-t", time);
    if (time != null && micros == 0) {
      throw usage("-t must be above 0");
    }
    long every = intervalMicros();
    try {
      TestSpec.Builder spec =
          TestSpec.of(mechanisms.mechanism().name(), Mode.ECHO)
              .messageBytes(bytes())
              .bitsPerSecond(every == 0 ? 0 : Math.max(1, (long) Math.ceil(bytes() * 8e6 / every)))
              .amountBytes(Math.multiplyExact((long) bytes(), (long) wanted))
              .maxMicros(micros)
              .parameter(EchoSchedule.INTERVAL, every);
      mark(spec);
      return path.plan(path.server(host), spec.build())
          .flows(UdpClientOptions.counting(log, marks))
          .intervalMicros(continuous ? SECOND_MICROS : NetPlan.NO_SAMPLES)
          .durationMicros(micros)
          .build();
    } catch (IllegalArgumentException | ArithmeticException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }

  /** Over streams: stop-and-wait. */
  private ExitCode oneByOne(Output output, ResultRecord.Builder result)
      throws InterruptedException {
    if (continuous || metrics != null || time != null || csv != null || plot != null) {
      throw usage("--continuous, -t, --metrics, --csv and --plot are for echoes, which go by UDP");
    }
    NetPlan plan = planOneByOne();
    AtomicLong number = new AtomicLong();
    String server = Addresses.text(plan.server());
    try (NetSession session = NetSession.open()) {
      RunOutcome outcome =
          NetSession.await(
              session.start(
                  plan,
                  sample -> {},
                  micros -> {
                    if (!quiet && !json) {
                      output.line(
                          plan.spec().messageBytes()
                              + " bytes from "
                              + server
                              + ": seq="
                              + number.incrementAndGet()
                              + " time="
                              + Human.micros(micros));
                    }
                  }));
      RunText.summary(outcome, RateFormat.FITTING).forEach(output::line);
      EbbException failure = outcome.failure();
      if (failure != null) {
        output.note("ebb: " + failure.getMessage());
      }
      result.fact(Keys.SERVER, server);
      RunRecord.add(outcome, result);
      return failure == null ? ExitCode.DONE : failure.exitCode();
    }
  }

  private NetPlan planOneByOne() {
    long micros = intervalMicros();
    try {
      TestSpec.Builder spec =
          TestSpec.of(mechanisms.mechanism().name(), Mode.STOP_AND_WAIT)
              .messageBytes(bytes())
              .bitsPerSecond(micros == 0 ? 0 : Math.max(1, (long) (bytes() * 8e6 / micros)))
              .amountBytes(Math.multiplyExact((long) bytes(), (long) howMany()));
      mark(spec);
      return path.plan(path.server(host), spec.build()).build();
    } catch (IllegalArgumentException | ArithmeticException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }

  private static EbbException usage(String message) {
    return new EbbException(ExitCode.USAGE, message);
  }
}
