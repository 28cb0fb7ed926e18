package ebb.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.Cli;
import ebb.core.cli.EbbCommand;
import ebb.core.units.BitRate;
import ebb.core.units.ByteSize;
import ebb.core.units.Micros;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A default that {@code --help} states is the one that holds: it is picocli's own ({@code
 * ${DEFAULT-VALUE}}), or made from the constant that the code uses.
 */
class DefaultsTest {
  /** A figure, in digits or in words, after "default:" in a literal. */
  private static final Pattern WRITTEN_FIGURE =
      Pattern.compile(
          "\\(default: [^\")]*?(\\d|\\b(two|three|four|five|six|ten|hours?|minutes?|seconds?)\\b)");

  /** The same in a help text. */
  private static final Pattern STATED_FIGURE = Pattern.compile("\\(default: [^)]*\\d");

  /** All commands, that take what they are given though something is missing. */
  private static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>();
    for (EbbCommand command : Cli.installedCommands()) {
      add(all, new CommandLine(command));
    }
    return all;
  }

  private static void add(List<CommandLine> all, CommandLine command) {
    command.registerConverter(ByteSize.class, ByteSize::parse);
    command.registerConverter(BitRate.class, BitRate::parse);
    command.registerConverter(Micros.class, Micros::parse);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.getCommandSpec().parser().collectErrors(true);
    all.add(command);
    command.getSubcommands().values().forEach(sub -> add(all, sub));
  }

  private static void forEachArgument(BiConsumer<CommandSpec, ArgSpec> check) {
    for (CommandLine command : commands()) {
      CommandSpec spec = command.getCommandSpec();
      spec.args().forEach(arg -> check.accept(spec, arg));
    }
  }

  private static String name(CommandSpec spec, ArgSpec arg) {
    return spec.qualifiedName()
        + " "
        + (arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel());
  }

  /** As people read it. */
  private static String description(ArgSpec arg) {
    return String.join(" ", arg.description());
  }

  @Test
  void aFigureThatIsStatedIsTheOptionsOwnDefault() {
    List<String> stated = new ArrayList<>();
    forEachArgument(
        (spec, arg) -> {
          String help = description(arg);
          assertThat(help).as(name(spec, arg)).doesNotContain("(default: null");
          String own = arg.defaultValue();
          if (own != null && STATED_FIGURE.matcher(help).find()) {
            stated.add(name(spec, arg));
            assertThat(help).as(name(spec, arg)).contains("(default: " + own);
          }
        });
    assertThat(stated).hasSizeGreaterThan(60);
  }

  /** Such as {@code net server}'s, which stated two hours and had a 0 in its field. */
  @Test
  void whatIsStatedIsTakenAndIsWhatTheFieldHasWithoutPicocli() {
    List<String> compared = new ArrayList<>();
    for (CommandLine command : commands()) {
      CommandSpec spec = command.getCommandSpec();
      Map<ArgSpec, String> before = new HashMap<>();
      for (ArgSpec arg : spec.args()) {
        Object initial = arg.initialValue();
        if (arg.defaultValue() != null && initial != null && !initial.equals(List.of())) {
          before.put(arg, initial.toString());
        }
      }
      assertThat(command.parseArgs().errors())
          .as("%s takes its own defaults", spec.qualifiedName())
          .allSatisfy(error -> assertThat(error).isInstanceOf(MissingParameterException.class));
      before.forEach(
          (arg, initial) -> {
            compared.add(name(spec, arg));
            assertThat(Objects.toString(arg.getValue()))
                .as("%s: the stated default, and the field's own value", name(spec, arg))
                .isEqualTo(initial);
          });
    }
    assertThat(compared).hasSizeGreaterThan(60);
  }

  @Test
  void noDefaultIsWrittenTwice() {
    forEachArgument(
        (spec, arg) ->
            assertThat(description(arg).toLowerCase(Locale.ROOT))
                .as("%s says (default: ...)", name(spec, arg))
                .doesNotContain("by default", "defaults to"));
    List<String> written = new ArrayList<>();
    for (Path source : sources()) {
      for (String line : lines(source)) {
        if (WRITTEN_FIGURE.matcher(line).find()) {
          written.add(source.getFileName() + ": " + line.strip());
        }
      }
    }
    assertThat(written).as("use ${DEFAULT-VALUE} or the constant").isEmpty();
  }

  private static List<Path> sources() {
    try (Stream<Path> files = Files.walk(Path.of("").toAbsolutePath().getParent())) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().replace('\\', '/').contains("/src/main/java/"))
          .toList();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static List<String> lines(Path source) {
    try {
      return Files.readAllLines(source);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
