package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.ledbat.command.Drivers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ebb net doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Look for what would spoil measurements, here and on a path.",
      "The path is the one to a server ('ebb net server'), if one is named.",
      "Ends with exit code 99 when there is a warning."
    })
public final class NetDoctorCommand implements EbbCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "HOST[:PORT]",
      description =
          "A server ('ebb net server'): look for a path that swallows large packets, too.")
  @Nullable String host;

  @Mixin NetPathOptions path = new NetPathOptions();

  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() throws InterruptedException {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net doctor");
    NetDoctor doctor = NetDoctor.ofThisMachine();
    Map<String, String> facts = new LinkedHashMap<>(doctor.facts());
    facts.put("transport", Drivers.describe());
    List<String> warnings = new ArrayList<>(doctor.warnings());
    DevicesDoctor.ask(doctor.devices(), facts, warnings);
    if (host != null) {
      try (NetSession session = NetSession.open()) {
        new PathDoctor(path, session).ask(host, facts, warnings);
      }
    }
    facts.forEach(
        (name, value) -> {
          output.line(name + ": " + value);
          result.fact(name, value);
        });
    warnings.forEach(warning -> output.line("warning: " + warning));
    warnings.forEach(result::warning);
    if (warnings.isEmpty()) {
      output.line("nothing found");
    }
    ExitCode code = warnings.isEmpty() ? ExitCode.DONE : ExitCode.THRESHOLD_FAILED;
    output.json(result.build(true, code.value()).toJson());
    return code.value();
  }
}
