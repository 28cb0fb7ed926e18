package ebb.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.time.VirtualClock;
import ebb.core.units.Micros;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

final class CliTest {
  @Command(name = "ebb")
  static final class Root implements Runnable {
    @Option(names = "--debug", scope = ScopeType.INHERIT)
    boolean debug;

    @Override
    public void run() {}
  }

  @Command(name = "wait", description = "Waits.")
  static final class Wait implements EbbCommand {
    @Option(names = "--for")
    Micros time = new Micros(0);

    @Override
    public String group() {
      return "things";
    }

    @Override
    public Integer call() {
      if (time.micros() == 1) {
        throw new EbbException(ExitCode.REFUSED_OR_BUSY, "somebody else is waiting\nsecond line");
      }
      if (time.micros() == 2) {
        throw new IllegalStateException("a bug");
      }
      if (time.micros() == 3) {
        throw new EbbException(ExitCode.CANNOT_CONNECT, "from the peer: \u001b[2Jgone");
      }
      if (time.micros() == 4) {
        throw new NoClassDefFoundError("half/Installed");
      }
      return ExitCode.DONE.value();
    }
  }

  @Command(name = "sing")
  static final class Sing implements EbbCommand {
    @Override
    public String group() {
      return "music";
    }

    @Override
    public Integer call() {
      return ExitCode.THRESHOLD_FAILED.value();
    }
  }

  private static int run(StringWriter err, String... args) {
    return run(err, List.of(new Wait()), args);
  }

  private static int run(StringWriter err, Iterable<EbbCommand> commands, String... args) {
    // The real handlers write to the process's standard error; picocli's own stream is enough here.
    PrintStream saved = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return Cli.run(new Root(), Map.of("things", "Things."), commands, args);
    } finally {
      System.setErr(saved);
      new PrintWriter(err, true).print(bytes.toString(StandardCharsets.UTF_8));
    }
  }

  @Test
  void exitCodesFollowTheKindOfEnd() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "things", "wait", "--for", "5ms")).isZero();
    assertThat(run(err, "things", "wait", "--for", "1us")).isEqualTo(4);
    assertThat(run(err, "things", "wait", "--for", "2us")).isEqualTo(1);
    assertThat(run(err, "things", "wait", "--for", "5")).isEqualTo(2);
    assertThat(run(err, "things", "sing")).isEqualTo(2);
    assertThat(run(err, "things")).isEqualTo(2);
    assertThat(err.toString())
        .contains("ebb: somebody else is waiting\n")
        .doesNotContain("second line")
        .contains("ebb: internal error: java.lang.IllegalStateException: a bug")
        .contains("'5' is not a time")
        .doesNotContain("\tat ");
  }

  @Test
  void aWrongValueIsExplainedInTheParsersOwnWords() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "things", "wait", "--for", "5 parsecs")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "ebb: Invalid value for option '--for': '5 parsecs' is not a time"
                + " (such as 500us, 60ms, 1.5s, 2m, 1h)",
            "Try 'ebb things wait --help'.");
  }

  @Test
  void aSlipOfTheFingerIsToldWhatMayBeMeant() {
    assertThat(errorOf("things", "wiat"))
        .containsExactly(
            "ebb: There is no command 'ebb things wiat'; did you mean wait?",
            "Try 'ebb things --help'.");
    assertThat(errorOf("tihngs", "wait")).first().asString().endsWith("; did you mean things?");
    assertThat(errorOf("things", "wait", "--debgu"))
        .containsExactly(
            "ebb: Unknown option: '--debgu'; did you mean --debug?",
            "Try 'ebb things wait --help'.");
    assertThat(errorOf("things", "sing")).startsWith("ebb: There is no command 'ebb things sing'");
    assertThat(errorOf("help", "things", "wait", "more"))
        .containsExactly(
            "ebb: Unmatched argument at index 0: 'more'", "Try 'ebb things wait --help'.");
    assertThat(errorOf("things", "\033[2J")).first().asString().doesNotContain("\033");
  }

  private static List<String> errorOf(String... args) {
    StringWriter err = new StringWriter();
    assertThat(run(err, args)).isEqualTo(2);
    return err.toString().lines().toList();
  }

  @Test
  void helpIsGivenByThatWordToo() {
    String asked = helpOf("help", "things", "wait");
    assertThat(asked).startsWith("Usage: ebb things wait").contains("--for");
    assertThat(helpOf("things", "help", "wait")).isEqualTo(asked);
    assertThat(helpOf("help", "things", "--help")).isEqualTo(helpOf("things", "--help"));
    assertThat(helpOf("help")).contains("help", "things");
  }

  private static String helpOf(String... args) {
    PrintStream saved = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(new StringWriter(), args)).isZero();
    } finally {
      System.setOut(saved);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void wordsFromElsewhereCannotMoveTheCursor() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "things", "wait", "--for", "3us")).isEqualTo(3);
    assertThat(err).hasToString("ebb: from the peer: \\u001b[2Jgone" + System.lineSeparator());
  }

  @Test
  void stackTracesAreShownOnlyWhenAskedFor() {
    StringWriter quiet = new StringWriter();
    assertThat(run(quiet, "things", "wait", "--for", "2us")).isEqualTo(1);
    assertThat(quiet.toString().lines()).hasSize(1);
    StringWriter debug = new StringWriter();
    assertThat(run(debug, "things", "wait", "--debug", "--for", "2us")).isEqualTo(1);
    assertThat(debug.toString()).startsWith(quiet.toString()).contains("\tat ebb.core.cli.CliTest");
    StringWriter first = new StringWriter();
    assertThat(run(first, "--debug", "things", "wait", "--for", "2us")).isEqualTo(1);
    assertThat(first.toString()).contains("\tat ebb.core.cli.CliTest");
  }

  @Test
  void aBrokenInstallationIsOneLineToo() {
    StringWriter err = new StringWriter();
    assertThat(run(err, "things", "wait", "--for", "4us")).isEqualTo(1);
    Iterable<EbbCommand> broken =
        () -> {
          throw new ServiceConfigurationError("no such provider");
        };
    assertThat(run(err, broken, "things")).isEqualTo(1);
    assertThat(run(err, List.of(new Sing(), new Wait(), new Wait()), "things")).isEqualTo(1);
    assertThat(err.toString().lines())
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).startsWith("ebb: internal error: "));
  }

  @Test
  void aModuleCanBringAGroupOfItsOwn() {
    StringWriter err = new StringWriter();
    assertThat(run(err, List.of(new Wait(), new Sing()), "music", "sing")).isEqualTo(99);
    assertThat(run(err, List.of(new Wait(), new Sing()), "sing")).isEqualTo(2);
  }

  @Test
  void aGroupIsListedWhetherItsCommandsAreAskedForOrNot() {
    Map<String, String> groups = Map.of("things", "Things.", "empty", "Nothing.");
    List<EbbCommand> commands = List.of(new Wait(), new Sing());
    CommandLine none = Cli.build(new Root(), groups, commands, name -> false);
    assertThat(none.getSubcommands()).containsOnlyKeys("help", "music", "things");
    assertThat(none.getSubcommands().get("things").getSubcommands()).isEmpty();
    CommandLine all = Cli.tree(new Root(), groups, commands);
    assertThat(all.getUsageMessage()).isEqualTo(none.getUsageMessage());
    assertThat(all.getSubcommands().get("things").getSubcommands()).containsOnlyKeys("wait");
  }

  @Test
  void progressOnATerminalIsOneLineAndElsewherePlain() {
    VirtualClock clock = new VirtualClock(0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Progress plain = new Progress(err, false, 100, clock);
    for (int second = 0; second < 25; second++) {
      int now = second;
      plain.update(() -> "at " + now);
      clock.advance(1_000_000);
    }
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("at 10" + System.lineSeparator() + "at 20" + System.lineSeparator());

    bytes.reset();
    Progress terminal = new Progress(err, true, 20, clock);
    terminal.update(() -> "a line that is longer than the terminal");
    terminal.update(() -> "too soon");
    clock.advance(200_000);
    terminal.update(() -> "short");
    String shown = bytes.toString(StandardCharsets.UTF_8);
    assertThat(shown).startsWith("\ra line that is lon").endsWith("\rshort");
    assertThat(shown).doesNotContain("too soon").doesNotContain("\n");
  }

  @Test
  void namesInProgressLinesCannotMoveTheCursor() {
    VirtualClock clock = new VirtualClock(0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Progress plain = new Progress(err, false, 80, clock);
    clock.advance(10_000_000);
    plain.update(() -> "a\u001b[2J\rb\nc\u202ed");
    assertThat(bytes.toString(StandardCharsets.UTF_8).stripTrailing())
        .isEqualTo("a\\u001b[2J\\u000db\\u000ac\\u202ed");
  }

  @Test
  void wideLettersAreCountedAsTheTerminalDrawsThem() {
    VirtualClock clock = new VirtualClock(0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Progress progress = new Progress(err, true, 20, clock);
    // Nine letters of two columns fill 18 of the 19; the tenth does not fit.
    progress.update(() -> "\u6587".repeat(12));
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("\r" + "\u6587".repeat(9));
    bytes.reset();
    clock.advance(200_000);
    // A letter outside the BMP is never cut in half; the rest of the old line is wiped.
    progress.update(() -> "\uD83D\uDE80");
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r\uD83D\uDE80" + " ".repeat(16) + "\r\uD83D\uDE80");
    bytes.reset();
    progress.clear();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("\r  \r");
    bytes.reset();
    progress.clear();
    assertThat(bytes.size()).as("nothing left to clear").isZero();
  }

  @Test
  void aWidthThatCannotBeIsNotBelieved() {
    assertThat(Progress.parseColumns("132")).isEqualTo(132);
    assertThat(Progress.parseColumns(" 80\n")).isEqualTo(80);
    assertThat(Progress.parseColumns("3")).isEqualTo(20);
    assertThat(Progress.parseColumns("2000000000")).isEqualTo(1_000);
    assertThat(Progress.parseColumns("0")).isEqualTo(80);
    assertThat(Progress.parseColumns("wide")).isEqualTo(80);
  }

  @Test
  void standardOutputBelongsToJsonWhenItWasAskedFor() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream toOut = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream toErr = new PrintStream(err, true, StandardCharsets.UTF_8);
    for (boolean json : new boolean[] {true, false}) {
      Output output = new Output(toOut, toErr, json);
      output.line("words");
      output.json("{}");
      output.note("aside");
    }
    String end = System.lineSeparator();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{}" + end + "words" + end);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("words" + end + "aside" + end + "aside" + end);
  }
}
