package ebb.core.cli;

import ebb.core.text.OneLine;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Builds the tree of subcommands from all modules and runs it: one-line errors on standard error,
 * exit codes as {@link ExitCode} says. It owns no command.
 */
public final class Cli {
  private static final String HELP = "help";

  private Cli() {}

  /**
   * Runs a command line. Stack traces are shown with {@code EBB_DEBUG=1} or, when the root command
   * has that option, with {@code --debug}. A command of a group that {@code groups} does not
   * describe gets the group without a description.
   *
   * @param root the picocli object of the command without a subcommand
   * @param groups one-line descriptions of the groups by name
   * @param commands the subcommands
   * @return the exit code
   */
  public static int run(
      Object root, Map<String, String> groups, Iterable<EbbCommand> commands, String... args) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    try {
      Set<String> words = new HashSet<>(Arrays.asList(args));
      CommandLine line = build(root, groups, commands, words::contains);
      line.setErr(err);
      line.setParameterExceptionHandler((e, arguments) -> misused(err, e));
      line.setExecutionExceptionHandler(
          (e, where, result) -> fail(err, e, isDebug() || asksForDebug(line.getParseResult())));
      List<String> about = helpAsked(groups.keySet(), args);
      return about == null ? line.execute(args) : help(line, about);
    } catch (ParameterException mistake) {
      return misused(err, mistake);
    } catch (Exception | LinkageError | ServiceConfigurationError | StackOverflowError e) {
      // A broken installation or a bug; picocli hands over exceptions of commands only. What is
      // left,
      // such as no memory, is for the caller's last line of defence.
      return fail(err, e, isDebug());
    }
  }

  /** The words after {@code help}, in {@code help net client} and {@code net help client}. */
  private static @Nullable List<String> helpAsked(Set<String> groups, String... args) {
    List<String> words = new ArrayList<>(Arrays.asList(args));
    int at = words.indexOf(HELP);
    if (at != 0 && (at != 1 || !groups.contains(words.get(0)))) {
      return null;
    }
    words.remove(at);
    words.removeIf(word -> word.startsWith("-"));
    return words;
  }

  private static int help(CommandLine line, List<String> words) {
    CommandLine of = line;
    for (String word : words) {
      CommandLine next = of.getSubcommands().get(word);
      if (next == null) {
        throw new UnmatchedArgumentException(of, List.of(word));
      }
      of = next;
    }
    of.usage(System.out);
    return ExitCode.DONE.value();
  }

  private static int misused(PrintWriter err, ParameterException mistake) {
    CommandLine where = mistake.getCommandLine();
    err.println("ebb: " + oneLine(Meant.explain(mistake)));
    err.println("Try '" + where.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE.value();
  }

  private static int fail(PrintWriter err, Throwable failure, boolean debug) {
    ExitCode code = ExitCode.INTERNAL;
    if (failure instanceof EbbException known) {
      err.println("ebb: " + oneLine(known.getMessage()));
      code = known.exitCode();
    } else {
      err.println("ebb: internal error: " + oneLine(failure.toString()));
    }
    if (debug) {
      failure.printStackTrace(err);
    }
    err.flush();
    return code.value();
  }

  /** Whether the caller's root command has an option {@code --debug}, and it was given. */
  private static boolean asksForDebug(@Nullable ParseResult parsed) {
    for (ParseResult at = parsed; at != null; at = at.subcommand()) {
      if (at.hasMatchedOption("--debug")) {
        return true;
      }
    }
    return false;
  }

  /** All subcommands on the class path. */
  public static Iterable<EbbCommand> installedCommands() {
    return ServiceLoader.load(EbbCommand.class);
  }

  /** Whether the environment asks for stack traces: {@code EBB_DEBUG=1}. */
  public static boolean isDebug() {
    String debug = System.getenv("EBB_DEBUG");
    return debug != null && !debug.isEmpty() && !debug.equals("0");
  }

  /** All commands with all their options, for those who describe them. */
  public static CommandLine tree(
      Object root, Map<String, String> groups, Iterable<EbbCommand> commands) {
    return build(root, groups, commands, name -> true);
  }

  /**
   * @param named whether the name of a command or of a group is among the words of the command
   *     line. A command whose name is not cannot be meant: it gets its line in the help of its
   *     group, and its options are not looked at, which takes as long as all else that a start
   *     does. A group whose name is not gets no commands.
   */
  static CommandLine build(
      Object root,
      Map<String, String> groups,
      Iterable<EbbCommand> commands,
      Predicate<String> named) {
    CommandLine line = new CommandLine(root);
    TreeMap<String, CommandLine> top = new TreeMap<>();
    CommandSpec help = CommandSpec.create().name(HELP);
    help.usageMessage().description("Show the help of a command, such as 'help net client'.");
    addTo(top, new CommandLine(help));
    TreeMap<String, CommandLine> byGroup = new TreeMap<>();
    for (EbbCommand command : commands) {
      String name = command.group();
      if (name.isEmpty()) {
        addTo(top, child(command, named));
        continue;
      }
      CommandLine group =
          byGroup.computeIfAbsent(name, of -> group(of, groups.getOrDefault(of, "")));
      if (named.test(name)) {
        group.addSubcommand(child(command, named));
      }
    }
    byGroup.values().forEach(group -> addTo(top, group));
    top.forEach(line::addSubcommand);
    versions(line, line.getCommandSpec().versionProvider());
    line.registerConverter(ByteSize.class, converter(ByteSize::parse));
    line.registerConverter(BitRate.class, converter(BitRate::parse));
    line.registerConverter(Micros.class, converter(Micros::parse));
    line.setUsageHelpWidth(100);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  /** A command's version is the program's. */
  private static void versions(CommandLine line, @Nullable IVersionProvider provider) {
    if (provider != null) {
      for (CommandLine below : line.getSubcommands().values()) {
        below.getCommandSpec().versionProvider(provider);
        versions(below, provider);
      }
    }
  }

  private static CommandLine child(EbbCommand command, Predicate<String> named) {
    Command about = command.getClass().getAnnotation(Command.class);
    return about == null || named.test(about.name())
        ? new CommandLine(command)
        : new CommandLine(summary(about));
  }

  private static CommandSpec summary(Command about) {
    CommandSpec spec = CommandSpec.create().name(about.name());
    spec.usageMessage()
        .header(about.header())
        .description(about.description())
        .hidden(about.hidden());
    return spec;
  }

  private static CommandLine group(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage().description(description);
    spec.mixinStandardHelpOptions(true);
    return new CommandLine(spec);
  }

  private static void addTo(Map<String, CommandLine> top, CommandLine command) {
    if (top.put(command.getCommandName(), command) != null) {
      throw new IllegalStateException("two commands are named " + command.getCommandName());
    }
  }

  /** Passes the parser's own words on; picocli would wrap them in class names. */
  private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
    return text -> {
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(oneLine(e.getMessage()));
      }
    };
  }

  private static String oneLine(@Nullable String message) {
    return TerminalText.printable(OneLine.of(message, "no message"));
  }
}
