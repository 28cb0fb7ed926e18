package ebb.core.attempts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ebb.core.rand.SeededRandom;
import ebb.core.time.SleepClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttemptsTest {
  private final List<Duration> slept = new ArrayList<>();
  private boolean cancelled;
  private long nowMicros = 5;
  private final SleepClock clock =
      new SleepClock() {
        @Override
        public long nowMicros() {
          return nowMicros;
        }

        @Override
        public void sleep(Duration time) {
          slept.add(time);
          nowMicros += time.toNanos() / 1_000;
        }
      };
  private final Attempts attempts = new Attempts(clock, () -> cancelled);

  private static RequestFailedException failure(FailureKind kind, int number) {
    return new RequestFailedException(kind, kind + " " + number);
  }

  @Test
  void whatMayPassIsTriedAgainWithLongerWaits() throws Exception {
    String answer =
        attempts.retry(
            RetryPolicy.of(4),
            number -> {
              attempts.countRequest();
              nowMicros += 1_000;
              if (number < 4) {
                throw failure(FailureKind.UNAVAILABLE, number);
              }
              return "done";
            });
    assertThat(answer).isEqualTo("done");
    assertThat(slept).hasSize(3);
    for (int i = 0; i < 3; i++) {
      long most = 500L << i;
      assertThat(slept.get(i)).isBetween(Duration.ofMillis(most / 2), Duration.ofMillis(most));
    }
    Outcome outcome = attempts.outcome(null);
    assertThat(outcome.succeeded()).isTrue();
    assertThat(outcome.requests()).isEqualTo(4);
    assertThat(outcome.retries()).isEqualTo(3);
    assertThat(outcome.startMicros()).isEqualTo(5);
    assertThat(outcome.durationMicros()).isEqualTo(outcome.backoffMicros() + 4_000);
    assertThat(outcome.troubles())
        .containsExactly("UNAVAILABLE 1", "UNAVAILABLE 2", "UNAVAILABLE 3");
  }

  @Test
  void whatIsSaidToLastIsNotTriedAgainWhateverItsKind() {
    assertThatExceptionOfType(RequestFailedException.class)
        .isThrownBy(
            () ->
                attempts.retry(
                    RetryPolicy.of(4),
                    number -> {
                      RequestFailedException one = failure(FailureKind.CANNOT_CONNECT, number);
                      throw number == 2 ? one.lasting() : one;
                    }))
        .withMessage("CANNOT_CONNECT 2");
  }

  @Test
  void whatStaysIsNotTriedAgain() {
    assertThatExceptionOfType(RequestFailedException.class)
        .isThrownBy(
            () ->
                attempts.retry(
                    RetryPolicy.of(4),
                    number -> {
                      throw failure(FailureKind.NO_PERMISSION, number);
                    }))
        .withMessage("NO_PERMISSION 1");
    assertThatExceptionOfType(RequestFailedException.class)
        .isThrownBy(
            () ->
                attempts.retry(
                    RetryPolicy.of(2),
                    number -> {
                      throw failure(FailureKind.CORRUPT, number);
                    }))
        .withMessage("CORRUPT 2");
    assertThat(attempts.outcome(null).retries()).isEqualTo(1);
  }

  @Test
  void theServicesOwnWordOnWhenToComeBackIsKept() throws Exception {
    attempts.retry(
        RetryPolicy.of(2),
        number -> {
          if (number == 1) {
            throw new RequestFailedException(
                FailureKind.UNAVAILABLE, "busy", null, Duration.ofSeconds(7));
          }
          return "";
        });
    assertThat(slept).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void aCancelledRequestIsNotTriedAgain() {
    assertThatExceptionOfType(RequestFailedException.class)
        .isThrownBy(
            () ->
                attempts.retry(
                    RetryPolicy.of(4),
                    number -> {
                      cancelled = true;
                      throw failure(FailureKind.UNAVAILABLE, number);
                    }))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.CANCELLED));
    assertThat(slept).isEmpty();
  }

  @Test
  void aHaltedStopWatchDoesNotCount() {
    nowMicros += 10;
    attempts.halt();
    nowMicros += 100;
    assertThat(attempts.elapsedMicros()).isEqualTo(10);
    attempts.resume();
    nowMicros += 1;
    assertThat(attempts.outcome(null).durationMicros()).isEqualTo(11);
  }

  @Test
  void noWaitIsLongerThanThePolicysLongest() {
    RetryPolicy policy = RetryPolicy.of(100);
    for (int attempt = 7; attempt < 100; attempt++) {
      assertThat(policy.backoff(attempt, new SeededRandom(attempt)))
          .isBetween(Duration.ofSeconds(16), Duration.ofSeconds(32));
    }
  }
}
