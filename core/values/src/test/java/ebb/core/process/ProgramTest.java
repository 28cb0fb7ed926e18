package ebb.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static Program shell(String words) {
    return Program.of("sh", "-c", words);
  }

  @Test
  void aProgramSaysItsOutputAndItsCode() throws Exception {
    Program.Ended ended =
        shell("echo one; echo $COLOUR >&2; exit 3").with("COLOUR", "red").run(LONG);
    assertThat(ended.output()).isEqualTo("one\nred\n");
    assertThat(ended.lastLine()).isEqualTo("red");
    assertThat(ended.code()).isEqualTo(3);
    assertThat(ended.isDone()).isFalse();
  }

  @Test
  void aProgramBesideThisOneIsTalkedToInLines() throws Exception {
    Program echo = shell("while read word; do echo got $word; done; echo sorry >&2");
    try (RunningProgram read = echo.startBeside(RunningProgram.Errors.READ);
        RunningProgram dropped = echo.startBeside(RunningProgram.Errors.DROPPED)) {
      for (RunningProgram each : List.of(read, dropped)) {
        each.writeLine("one");
        assertThat(each.readLine()).isEqualTo("got one");
        each.endInput();
      }
      assertThat(read.readLine()).isEqualTo("sorry");
      assertThat(read.readLine()).isNull();
      assertThat(dropped.readLine()).isNull();
      assertThat(dropped.awaitEnd(LONG)).isTrue();
    }
  }

  @Test
  void theLastLinesOfItsErrorsAreKeptAndItsLinesBounded() throws Exception {
    try (RunningProgram one =
        shell("echo short; echo far too long; for i in 1 2 3 4 5 6; do echo $i >&2; done")
            .startBeside(RunningProgram.Errors.KEPT)) {
      BoundedLines lines = one.boundedLines(5);
      assertThat(lines.next()).isEqualTo("short");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(lines::next)
          .withMessage("a line of more than 5 characters");
      assertThat(one.awaitEnd(LONG)).isTrue();
      assertThat(one.lastErrors()).containsExactly("2", "3", "4", "5", "6");
    }
  }

  @Test
  void programsBesideThisOneAreEndedTogether() throws Exception {
    try (RunningProgram one =
            shell("echo 1; exec sleep 1000").startBeside(RunningProgram.Errors.SHOWN);
        RunningProgram two =
            shell("echo 2; exec sleep 1000").startBeside(RunningProgram.Errors.SHOWN)) {
      assertThat(one.readLine()).isEqualTo("1");
      assertThat(two.readLine()).isEqualTo("2");
      RunningProgram.endAll();
      assertThat(one.awaitEnd(LONG)).isTrue();
      assertThat(two.awaitEnd(LONG)).isTrue();
    }
  }

  @Test
  void aProgramThatIsMissingIsSaidInOneLine() {
    assertThat(Program.isInstalled("sh")).isTrue();
    assertThat(Program.isInstalled("no-such-program")).isFalse();
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> Program.of("no-such-program").run(LONG))
        .withMessage("no-such-program is not installed here");
  }

  @Test
  void whatDoesNotEndIsEndedWithItsChildren(@TempDir Path dir) throws Exception {
    Path pid = dir.resolve("pid");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () -> shell("sleep 1000 & echo $! >" + pid + "; wait").run(Duration.ofSeconds(2)))
        .withMessage("sh did not end within 2 s");
    long child = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(child).ifPresent(left -> left.onExit().orTimeout(60, TimeUnit.SECONDS).join());
  }

  @Test
  void moreOutputThanIsKeptIsForgotten() throws Exception {
    Program.Ended ended = shell("head -c 20000000 /dev/zero").run(LONG);
    assertThat(ended.output()).hasSize(16 << 20);
    assertThat(ended.isDone()).isTrue();
  }

  @Test
  void aStopEndsWhatRunsAndWhatWouldRun(@TempDir Path dir) throws Exception {
    StoppableRuns runs = new StoppableRuns();
    Path fifo = dir.resolve("fifo");
    assertThat(Program.of("mkfifo", fifo.toString()).run(LONG).isDone()).isTrue();
    CompletableFuture<Program.Ended> ended =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return runs.run(shell("echo up >" + fifo + "; sleep 1000"), LONG);
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    // Opens when the program does, so it runs by now.
    assertThat(Files.readString(fifo)).isEqualTo("up\n");
    runs.stop();
    assertThat(ended.get(60, TimeUnit.SECONDS)).isNull();
    assertThat(runs.run(shell("exit 0"), LONG)).isNull();
  }

  @Test
  void aProgramCanBeLeftAlone(@TempDir Path dir) throws Exception {
    Path log = dir.resolve("log");
    shell("echo here").startAlone(log).onExit().get(60, TimeUnit.SECONDS);
    assertThat(log).hasContent("here");
  }
}
