package ebb.ledbat.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.KeyFile;
import ebb.core.cli.Output;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ebb key new}. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Make a file with a new random key, readable by you only.",
      "Bring a copy of it to the other side in a way that keeps it secret, such as scp."
    })
public final class NewKeyCommand implements EbbCommand {
  @Parameters(paramLabel = "FILE", description = "Where to put it; must not exist.")
  String file = "";

  @Override
  public String group() {
    return "key";
  }

  @Override
  public Integer call() {
    Path path;
    try {
      path = Path.of(file);
    } catch (InvalidPathException bad) {
      throw new EbbException(ExitCode.USAGE, "cannot read the name '" + file + "'");
    }
    KeyFile.create(path);
    Output.standard(false).note("a new key is in " + file);
    return ExitCode.DONE.value();
  }
}
