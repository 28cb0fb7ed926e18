package ebb.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Interrupts end a JVM, so each case has one of its own. */
final class InterruptsTest {
  /** What a process said and how it ended. */
  private record End(int exitCode, List<String> lines) {}

  /** The child: plays the case named by its argument, says "ready" and waits for the signal. */
  public static final class Child {
    private Child() {}

    @SuppressWarnings("try") // the registration is there to be closed
    public static void main(String[] args) throws InterruptedException {
      switch (args[0]) {
        case "one" -> Interrupts.onInterrupt(20_000, ExitCode.INCOMPLETE, () -> say("result"));
        case "closed" -> {
          Interrupts.onInterrupt(20_000, ExitCode.INCOMPLETE, () -> say("result")).close();
        }
        case "nested" -> {
          Interrupts.onInterrupt(20_000, ExitCode.DONE, () -> say("outer"));
          Interrupts.onInterrupt(20_000, ExitCode.INCOMPLETE, () -> say("inner"));
        }
        case "closing" -> {
          // The command is done while the process is already stopping.
          Interrupts.Registration outer =
              Interrupts.onInterrupt(20_000, ExitCode.DONE, () -> say("second result"));
          Interrupts.onInterrupt(
              20_000,
              ExitCode.INCOMPLETE,
              () -> {
                outer.close();
                say("closed");
              });
        }
        case "own thread" -> {
          CountDownLatch asked = new CountDownLatch(1);
          try (Interrupts.Registration open =
              Interrupts.untilClosed(20_000, ExitCode.INCOMPLETE, asked::countDown)) {
            say("ready");
            asked.await();
            say("result");
          }
          return;
        }
        case "endless" -> Interrupts.onInterrupt(100, ExitCode.INCOMPLETE, Child::waitForEver);
        case "broken" ->
            Interrupts.onInterrupt(
                20_000,
                ExitCode.INCOMPLETE,
                () -> {
                  throw new IllegalStateException("no");
                });
        default -> throw new IllegalArgumentException(args[0]);
      }
      say("ready");
      waitForEver();
    }

    private static void say(String word) {
      System.out.println(word);
    }

    private static void waitForEver() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static End terminate(String scenario) throws Exception {
    Process child =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                scenario)
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(said.readLine()).isEqualTo("ready");
      // SIGTERM to the child that was just started; Process.destroy would close its output as well.
      assertThat(child.toHandle().destroy()).isTrue();
      List<String> lines = said.lines().collect(Collectors.toList());
      assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new End(child.exitValue(), lines);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aCommandCanFinishItsResultAndEndsWithItsOwnCode() throws Exception {
    assertThat(terminate("one")).isEqualTo(new End(5, List.of("result")));
  }

  @Test
  void aCommandThatWasDoneBeforeDoesNotFinishTwice() throws Exception {
    // 128 + 15: the signal's own status.
    assertThat(terminate("closed")).isEqualTo(new End(143, List.of()));
  }

  @Test
  void theLastRegisteredRunsFirstAndChoosesTheCode() throws Exception {
    assertThat(terminate("nested")).isEqualTo(new End(5, List.of("inner", "outer")));
  }

  @Test
  void anActionClosedDuringTheStopDoesNotRun() throws Exception {
    assertThat(terminate("closing")).isEqualTo(new End(5, List.of("closed")));
  }

  @Test
  void aCommandsOwnThreadCanFinishItsResult() throws Exception {
    assertThat(terminate("own thread")).isEqualTo(new End(5, List.of("result")));
  }

  @Test
  void anActionThatNeverEndsIsGivenUp() throws Exception {
    assertThat(terminate("endless"))
        .isEqualTo(new End(5, List.of("ebb: gave up waiting for an orderly end")));
  }

  @Test
  void anActionThatFailsSaysSoInOneLine() throws Exception {
    assertThat(terminate("broken"))
        .isEqualTo(
            new End(
                5, List.of("ebb: internal error at the end: java.lang.IllegalStateException: no")));
  }
}
