package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.result.ResultRecord;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.ListVms;
import ebb.vm.port.RunLabels;
import ebb.vm.port.Vm;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List Ebb's VMs in all zones of a project.")
public final class VmListCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();

  @Option(names = "--run", paramLabel = "ID", description = "Only those of this run.")
  @Nullable String run;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(json);
    try (VmSession session = providers.session(options, output::note)) {
      List<Vm> vms =
          session.answer(Answer.Vms.class, new ListVms(ProvisionPort.newId(), run)).vms();
      ResultRecord.Builder result = ResultRecord.of("vm list").figure("vms", vms.size());
      vms.forEach(vm -> result.row(row(vm)));
      show(vms, output);
      if (vms.isEmpty()) {
        output.line("there are no VMs of Ebb's");
      }
      output.json(result.build(true, 0).toJson());
      return ExitCode.DONE.value();
    }
  }

  /** A line for each. */
  static void show(List<Vm> vms, Output output) {
    LineTable table = new LineTable("VM", "ZONE", "TYPE", "STATE", "INTERNAL", "EXTERNAL", "ENDS");
    Instant now = Instant.now();
    for (Vm vm : vms) {
      table.add(
          vm.ref().name(),
          vm.ref().zone(),
          vm.machineType(),
          vm.state().name().toLowerCase(Locale.ROOT),
          vm.internalAddress(),
          vm.externalAddress(),
          LineTable.end(vm.labels(), now));
    }
    table.print(output);
  }

  static Map<String, @Nullable Object> row(Vm vm) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("name", vm.ref().name());
    row.put("zone", vm.ref().zone());
    row.put("machineType", vm.machineType());
    row.put("state", vm.state().name());
    row.put("internalAddress", vm.internalAddress());
    row.put("externalAddress", vm.externalAddress());
    RunLabels labels = vm.labels();
    row.put("run", labels == null ? null : labels.runId());
    row.put("owner", labels == null ? null : labels.owner());
    row.put("expires", labels == null ? null : labels.expires().toString());
    return row;
  }
}
