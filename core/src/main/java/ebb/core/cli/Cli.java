package ebb.core.cli;

import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.io.PrintWriter;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Builds the tree of subcommands from all modules and runs it: one-line errors on standard error,
 * exit codes as {@link ExitCode} says. It owns no command.
 */
public final class Cli {
  private Cli() {}

  /**
   * Runs a command line.
   *
   * @param root the picocli object of the command without a subcommand
   * @param groups one-line descriptions of the groups by name
   * @param commands the subcommands
   * @return the exit code
   */
  public static int run(
      Object root, Map<String, String> groups, Iterable<EbbCommand> commands, String... args) {
    CommandLine line = build(root, groups, commands);
    PrintWriter err = line.getErr();
    line.setParameterExceptionHandler(
        (e, arguments) -> {
          CommandLine where = e.getCommandLine();
          err.println("ebb: " + oneLine(e.getMessage()));
          err.println("Try '" + where.getCommandSpec().qualifiedName() + " --help'.");
          err.flush();
          return ExitCode.USAGE.value();
        });
    line.setExecutionExceptionHandler(
        (e, where, result) -> {
          int code = ExitCode.INTERNAL.value();
          if (e instanceof EbbException ebb) {
            err.println("ebb: " + oneLine(ebb.getMessage()));
            code = ebb.exitCode().value();
          } else {
            err.println("ebb: internal error: " + oneLine(e.toString()));
          }
          if (isDebug()) {
            e.printStackTrace(err);
          }
          err.flush();
          return code;
        });
    return line.execute(args);
  }

  /** All subcommands on the class path. */
  public static Iterable<EbbCommand> installedCommands() {
    return ServiceLoader.load(EbbCommand.class);
  }

  /** Whether stack traces are wanted. */
  public static boolean isDebug() {
    String debug = System.getenv("EBB_DEBUG");
    return debug != null && !debug.isEmpty() && !debug.equals("0");
  }

  static CommandLine build(Object root, Map<String, String> groups, Iterable<EbbCommand> commands) {
    CommandLine line = new CommandLine(root);
    TreeMap<String, CommandLine> byGroup = new TreeMap<>();
    for (var group : new TreeMap<>(groups).entrySet()) {
      CommandSpec spec = CommandSpec.create().name(group.getKey());
      spec.usageMessage().description(group.getValue());
      spec.mixinStandardHelpOptions(true);
      byGroup.put(group.getKey(), new CommandLine(spec));
    }
    TreeMap<String, CommandLine> top = new TreeMap<>();
    for (EbbCommand command : commands) {
      CommandLine child = new CommandLine(command);
      CommandLine parent = byGroup.get(command.group());
      if (parent != null) {
        parent.addSubcommand(child);
      } else {
        top.put(child.getCommandName(), child);
      }
    }
    for (var group : byGroup.entrySet()) {
      if (!group.getValue().getSubcommands().isEmpty()) {
        top.put(group.getKey(), group.getValue());
      }
    }
    top.forEach(line::addSubcommand);
    line.registerConverter(ByteSize.class, ByteSize::parse);
    line.registerConverter(BitRate.class, BitRate::parse);
    line.registerConverter(Micros.class, Micros::parse);
    line.setUsageHelpWidth(100);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  private static String oneLine(@Nullable String message) {
    return message == null ? "no message" : message.lines().findFirst().orElse("").trim();
  }
}
