package ebb.net.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.ledbat.command.Drivers;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ebb net doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Look for what would spoil measurements on this machine.")
public final class NetDoctorCommand implements EbbCommand {
  @Option(
      names = {"-J", "--json"},
      description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "net";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    ResultRecord.Builder result = ResultRecord.of("net doctor");
    NetDoctor doctor = NetDoctor.ofThisMachine();
    Map<String, String> facts = new LinkedHashMap<>(doctor.facts());
    facts.put("transport", Drivers.describe());
    facts.forEach(
        (name, value) -> {
          output.line(name + ": " + value);
          result.fact(name, value);
        });
    doctor.warnings().forEach(warning -> output.line("warning: " + warning));
    doctor.warnings().forEach(result::warning);
    if (doctor.warnings().isEmpty()) {
      output.line("nothing found");
    }
    output.json(result.build(true, ExitCode.DONE.value()).toJson());
    return ExitCode.DONE.value();
  }
}
