package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.report.RunRecord;
import ebb.net.report.RunText;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunPlan;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net ping}: stop-and-wait at a pace, told message by message. */
@Command(
    name = "ping",
    mixinStandardHelpOptions = true,
    description = {
      "Measure the round trip to a server ('ebb net server') without raw sockets: by UDP, or by",
      "TCP or LEDBAT. Messages go by a plan that a late answer does not move."
    })
public final class NetPingCommand implements EbbCommand {
  private static final long NO_SAMPLES = Long.MAX_VALUE / 4;

  @Parameters(paramLabel = "HOST[:PORT]", description = "The server.")
  String host = "";

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      defaultValue = "10",
      description = "Messages (default: ${DEFAULT-VALUE}).")
  int count = 10;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "SECONDS",
      defaultValue = "0.2",
      description = "Between messages; 0 for as soon as answered (default: ${DEFAULT-VALUE}).")
  String interval = "0.2";

  @Option(
      names = {"-l", "--length"},
      paramLabel = "BYTES",
      defaultValue = "64",
      description = "Of a message (default: ${DEFAULT-VALUE}).")
  String length = "64";

  @Option(names = "--tcp", description = "By TCP.")
  boolean tcp;

  @Option(names = "--ledbat", description = "By LEDBAT.")
  boolean ledbat;

  @Option(
      names = {"-q", "--quiet"},
      description = "Only the summary.")
  boolean quiet;

  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Mixin NetPathOptions path = new NetPathOptions();

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() throws InterruptedException {
    RunPlan plan = plan();
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net ping");
    AtomicLong number = new AtomicLong();
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
                              + Addresses.text(plan.server())
                              + ": seq="
                              + number.incrementAndGet()
                              + " time="
                              + Human.micros(micros));
                    }
                  }));
      ExitCode code = outcome.failure() == null ? ExitCode.DONE : outcome.failure().exitCode();
      RunText.summary(outcome).forEach(output::line);
      if (outcome.failure() != null) {
        output.note("ebb: " + outcome.failure().getMessage());
      }
      result.fact("server", Addresses.text(plan.server()));
      RunRecord.add(outcome, result);
      output.json(result.build(code == ExitCode.DONE, code.value()).toJson());
      return code.value();
    }
  }

  private RunPlan plan() {
    if (tcp && ledbat) {
      throw new EbbException(ExitCode.USAGE, "--tcp and --ledbat exclude each other");
    }
    if (count < 1) {
      throw new EbbException(ExitCode.USAGE, "-c must be at least 1: " + count);
    }
    long bytes = Seconds.bytes("-l", length);
    long micros = Seconds.micros("-i", interval);
    try {
      TestSpec spec =
          new TestSpec(
              tcp ? Protocol.TCP : ledbat ? Protocol.LEDBAT : Protocol.UDP,
              Mode.STOP_AND_WAIT,
              true,
              false,
              1,
              (int) Math.min(Integer.MAX_VALUE, bytes),
              micros == 0 ? 0 : Math.max(1, (long) (bytes * 8e6 / micros)),
              Math.multiplyExact(bytes, (long) count),
              0,
              0,
              0,
              true);
      return path.plan(host, spec, NO_SAMPLES, 0);
    } catch (IllegalArgumentException | ArithmeticException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }
}
