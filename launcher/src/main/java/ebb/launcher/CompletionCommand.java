package ebb.launcher;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code ebb completion}: what a shell needs to complete Ebb's words. picocli makes it. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print what bash and zsh need to complete ebb's words.",
      "In bash: source <(ebb completion).",
      "In zsh: autoload -U +X bashcompinit && bashcompinit, and then the same.",
    })
public final class CompletionCommand implements EbbCommand {
  @Override
  public Integer call() {
    System.out.print(AutoComplete.bash("ebb", Main.tree()));
    return ExitCode.DONE.value();
  }
}
