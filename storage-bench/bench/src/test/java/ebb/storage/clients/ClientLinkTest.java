package ebb.storage.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram.Errors;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientLinkTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private static ClientLink link(String words) throws Exception {
    return new ClientLink(
        "there", new ProgramTalk(Program.of("sh", "-c", words).startBeside(Errors.KEPT)), () -> {});
  }

  private static RequestFailedException failure(ClientLink link, Duration silence) {
    return catchThrowableOfType(
        RequestFailedException.class, () -> link.await("clock", silence, () -> false));
  }

  @Test
  void silenceIsBounded() throws Exception {
    try (ClientLink link = link("exec sleep 1000")) {
      RequestFailedException lost = failure(link, Duration.ofMillis(10));
      assertThat(lost.kind()).isEqualTo(FailureKind.CANNOT_CONNECT);
      assertThat(lost.line()).isEqualTo("client 'there': no answer for 0 s");
    }
  }

  @Test
  void whoSaysThatItIsThereIsWaitedFor() throws Exception {
    try (ClientLink link =
        link(
            "echo '{\"alive\":true,\"operations\":7,\"bytes\":8}'; echo '{\"answer\":\"clock\"}'")) {
      assertThat(link.await("clock", LONG, () -> false).text("answer")).isEqualTo("clock");
      assertThat(link.operations()).isEqualTo(7);
      assertThat(link.bytes()).isEqualTo(8);
    }
  }

  @Test
  void whatNobodyAskedForIsNotKept() throws Exception {
    try (ClientLink link = link("yes '{\"answer\":\"sum\"}'")) {
      assertThat(failure(link, LONG).line()).contains("it answers 'sum' to 'clock'");
    }
    try (ClientLink link =
        link("for i in $(seq 17); do echo '{\"answer\":\"clock\"}'; done; exec cat >/dev/null")) {
      RequestFailedException lost = null;
      for (int i = 0; i < 17 && lost == null; i++) {
        lost = failure(link, LONG);
      }
      // Sixteen may wait; who reads as fast as it says gets all, and its end is not told.
      assertThat(lost == null || lost.line().contains("more than it was asked")).isTrue();
    }
  }

  @Test
  void whatIsGivenUpIsNotWaitedFor() throws Exception {
    try (ClientLink link = link("exec sleep 1000")) {
      RequestFailedException given =
          catchThrowableOfType(
              RequestFailedException.class, () -> link.await("clock", LONG, () -> true));
      assertThat(given.kind()).isEqualTo(FailureKind.CANCELLED);
    }
  }
}
