package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DeleteVm;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.RequestId;
import ebb.vm.port.Vm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm delete}. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    description = "Delete a VM of Ebb's with its disks, and wait until it is gone.")
public final class VmDeleteCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();
  @Mixin OneVm vm = new OneVm();

  @Option(names = "--not-ebbs", description = "Also a VM that Ebb has not made.")
  boolean notEbbs;

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(false);
    try (VmSession session = providers.session(options, output::note)) {
      Vm found =
          session.answer(Answer.OneVm.class, new DescribeVm(ProvisionPort.newId(), vm.ref())).vm();
      if (found.labels() == null && !notEbbs) {
        throw new EbbException(
            ExitCode.USAGE, "VM " + vm.ref() + " is not Ebb's; that needs --not-ebbs");
      }
      session.answer(
          Answer.None.class, new DeleteVm(ProvisionPort.newId(), vm.ref(), RequestId.fresh()));
      output.line("VM " + vm.ref() + " is gone");
      return ExitCode.DONE.value();
    }
  }
}
