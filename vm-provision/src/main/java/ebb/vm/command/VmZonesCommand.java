package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.ListZones;
import ebb.vm.port.Zone;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm zones}. */
@Command(
    name = "zones",
    mixinStandardHelpOptions = true,
    description = "List the zones that a project can have VMs in.")
public final class VmZonesCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    try (VmSession session = ProviderOption.standardSession(options, null, output::note)) {
      List<Zone> zones =
          session.answer(Answer.Zones.class, new ListZones(ProvisionPort.newId())).zones();
      ResultRecord.Builder result = ResultRecord.of("vm zones").figure("zones", zones.size());
      for (Zone zone : zones) {
        output.line(
            TerminalText.printable(
                String.format(
                    Locale.ROOT,
                    "%-28s %-24s %s",
                    zone.name(),
                    zone.region(),
                    zone.isUp() ? "up" : "down")));
        result.row(Map.of("name", zone.name(), "region", zone.region(), "up", zone.isUp()));
      }
      output.json(result.build(true, 0).toJson());
      return ExitCode.DONE.value();
    }
  }
}
