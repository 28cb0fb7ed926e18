package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.ledbat.command.Addresses;
import ebb.net.Keys;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.mechanism.OptionValues;
import ebb.net.report.RunRecord;
import ebb.net.report.RunText;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net ping}: stop-and-wait at a pace, told message by message. */
@Command(
    name = "ping",
    mixinStandardHelpOptions = true,
    modelTransformer = MechanismOptions.Transformer.class,
    description = {
      "Measure the round trip to a server without raw sockets.",
      "By UDP, or by TCP or LEDBAT, to 'ebb net server'. Messages go by a plan that a late answer does not move."
    })
public final class NetPingCommand implements EbbCommand, MechanismOptions.Holder {
  private final MechanismOptions mechanisms = new MechanismOptions("udp");

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
  public void addMechanisms(CommandSpec spec) {
    mechanisms.addChoice(spec);
  }

  @Override
  public Integer call() throws InterruptedException {
    NetPlan plan = plan();
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
      result.fact(Keys.SERVER, Addresses.text(plan.server()));
      RunRecord.add(outcome, result);
      output.json(result.build(code == ExitCode.DONE, code.value()).toJson());
      return code.value();
    }
  }

  private NetPlan plan() {
    if (count < 1) {
      throw new EbbException(ExitCode.USAGE, "-c must be at least 1: " + count);
    }
    long bytes = OptionValues.bytes("-l", length);
    long micros = OptionValues.micros("-i", interval);
    try {
      TestSpec spec =
          TestSpec.of(mechanisms.mechanism().name(), Mode.STOP_AND_WAIT)
              .messageBytes(bytes)
              .bitsPerSecond(micros == 0 ? 0 : Math.max(1, (long) (bytes * 8e6 / micros)))
              .amountBytes(Math.multiplyExact(bytes, (long) count))
              .build();
      return path.plan(path.server(host), spec).build();
    } catch (IllegalArgumentException | ArithmeticException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage(), wrong);
    }
  }
}
