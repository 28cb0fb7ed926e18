package ebb.vm.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.DescribeVm;
import ebb.vm.port.ProvisionPort.SerialTail;
import ebb.vm.port.Vm;
import ebb.vm.startup.StartupStep;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ebb vm describe}. */
@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    description = "Show one VM and, on request, the end of its serial console.")
public final class VmDescribeCommand implements EbbCommand {
  /** What is shown of it, and what is searched for the steps of a start-up script. */
  private static final int CONSOLE_CHARS = 4_000;

  private static final int SEARCHED_CHARS = 256_000;

  @Mixin VmOptions options = new VmOptions();
  @Mixin ProviderOption providers = new ProviderOption();
  @Mixin OneVm vm = new OneVm();

  @Option(names = "--console", description = "Also the end of what its serial console shows.")
  boolean console;

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
      Vm found =
          session.answer(Answer.OneVm.class, new DescribeVm(ProvisionPort.newId(), vm.ref())).vm();
      VmListCommand.show(List.of(found), output);
      output.line(TerminalText.printable("disks: " + String.join(" ", found.disks())));
      ResultRecord.Builder result = ResultRecord.of("vm describe").row(VmListCommand.row(found));
      if (console) {
        String text =
            session
                .answer(
                    Answer.SerialText.class,
                    new SerialTail(ProvisionPort.newId(), vm.ref(), SEARCHED_CHARS))
                .text();
        for (StartupStep step : StartupStep.in(text)) {
          output.line(TerminalText.printable("start-up: " + step.at() + " " + step));
        }
        text = text.substring(Math.max(0, text.length() - CONSOLE_CHARS));
        text.lines().forEach(line -> output.line(TerminalText.printable(line)));
        result.fact("console", text);
      }
      output.json(result.build(true, 0).toJson());
      return ExitCode.DONE.value();
    }
  }
}
