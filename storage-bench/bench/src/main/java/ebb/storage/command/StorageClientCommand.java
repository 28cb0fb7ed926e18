package ebb.storage.command;

import ebb.core.cli.EbbCommand;
import ebb.core.cli.ExitCode;
import ebb.storage.clients.ClientSession;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ebb storage client}: the other end of {@code ebb storage run --clients}. */
@Command(
    name = "client",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = {
      "Measure for 'ebb storage run --clients' on another machine.",
      "Nobody types this: lines of JSON come on standard input, and answers go to standard output."
    })
public final class StorageClientCommand implements EbbCommand {
  @Spec @Nullable CommandSpec spec;

  @Override
  public String group() {
    return "storage";
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintStream out = System.out;
    // Whatever else is printed is no answer.
    System.setOut(System.err);
    try {
      ClientSession session =
          new ClientSession(
              System.in, new PrintStream(out, false, StandardCharsets.UTF_8), version(spec));
      return (session.serve() ? ExitCode.DONE : ExitCode.INCOMPLETE).value();
    } finally {
      System.setOut(out);
    }
  }

  /** The program's, as {@code --version} shows it first; whose Java it has follows there. */
  static String version(@Nullable CommandSpec spec) {
    return spec == null || spec.version().length == 0 ? "" : spec.version()[0];
  }
}
