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
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class CliTest {
  @Command(name = "ebb")
  static final class Root implements Runnable {
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
      return ExitCode.DONE.value();
    }
  }

  private static int run(StringWriter err, String... args) {
    // The real handlers write to the process's standard error; picocli's own stream is enough here.
    PrintStream saved = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return Cli.run(new Root(), Map.of("things", "Things."), List.of(new Wait()), args);
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
}
