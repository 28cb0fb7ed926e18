package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.units.Micros;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.WaitForVm;
import ebb.vm.port.VmState;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm wait}. */
@Command(
    name = "wait",
    mixinStandardHelpOptions = true,
    description = "Wait until a VM is in a state; exit code 5 if it is late.")
public final class VmWaitCommand implements EbbCommand {
  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();
  @Mixin OneVm vm = new OneVm();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      defaultValue = "running",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  VmState state = VmState.RUNNING;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "5m",
      description = "How long at most (default: ${DEFAULT-VALUE}).")
  Micros timeout = Micros.parse("5m");

  @Override
  public String group() {
    return "vm";
  }

  @Override
  public Integer call() {
    Output output = Output.standard(false);
    try (VmSession session = providers.session(options, output::note)) {
      Duration atMost = Duration.ofMillis(timeout.micros() / 1_000);
      session.answer(
          Answer.OneVm.class, new WaitForVm(ProvisionPort.newId(), vm.ref(), state, atMost));
      output.line("VM " + vm.ref() + " is " + state.name().toLowerCase(Locale.ROOT));
      return ExitCode.DONE.value();
    }
  }
}
