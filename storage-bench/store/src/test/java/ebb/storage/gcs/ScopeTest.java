package ebb.storage.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import ebb.core.attempts.Contact;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.store.StoreCall;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Each request that failed is told once, whatever its thread does next. */
class ScopeTest {
  private final StoreCall call = new StoreCall(() -> false, bytes -> {});
  private final Scope scope = new Scope(call, "it", new Contact());

  private void request() throws IOException {
    scope.enter();
    scope.leave();
  }

  private void fails(String how, int status) throws IOException {
    request();
    scope.failed(Thread.currentThread(), how, status);
  }

  private static RequestFailedException unanswered() {
    return new RequestFailedException(FailureKind.UNAVAILABLE, "it", new IOException("gone"));
  }

  @Test
  void whatEndedTheAttemptIsNoRetryOfTheThreadThatWentOnWithSomethingElse() throws IOException {
    fails("gone", Scope.NO_ANSWER);
    request();
    scope.end(unanswered());
    assertThat(call.requests()).isEqualTo(2);
    assertThat(call.retries()).isZero();
  }

  @Test
  void twoThatFailedTogetherAreTwoAndOneOfThemEndedTheAttempt() throws IOException {
    fails("gone", Scope.NO_ANSWER);
    fails("gone", Scope.NO_ANSWER);
    scope.end(unanswered());
    assertThat(call.causes()).containsExactly(entry("gone", 1));
  }

  @Test
  void whatWasTriedAgainIsARetryAlsoWhenAnAnswerEndsTheAttempt() throws IOException {
    fails("HTTP 503", 503);
    assertThat(scope.hasFailed()).isTrue();
    request();
    scope.end(new RequestFailedException(FailureKind.NOT_FOUND, "it: none"));
    assertThat(call.causes()).containsExactly(entry("HTTP 503", 1));
  }

  @Test
  void aSuccessTellsAllThatFailedBefore() throws IOException {
    fails("HTTP 503", 503);
    fails("gone", Scope.NO_ANSWER);
    request();
    scope.end(null);
    assertThat(call.retries()).isEqualTo(2);
  }

  @Test
  void threeRefusedConnectionsAreTwoRetriesAndTheFailureByEitherTransport() throws IOException {
    for (int status : new int[] {Scope.NO_ANSWER, 503}) {
      StoreCall refused = new StoreCall(() -> false, bytes -> {});
      Scope hopeless = new Scope(refused, "it", new Contact());
      for (int i = 0; i < 3; i++) {
        hopeless.enter();
        hopeless.leave();
        hopeless.failed(Thread.currentThread(), "refused", status);
        hopeless.unconnected("refused", status);
      }
      RequestFailedException end =
          catchThrowableOfType(
              RequestFailedException.class,
              () -> {
                try {
                  hopeless.enter();
                } catch (IOException carried) {
                  CarriedException.unpack(carried);
                }
              });
      assertThat(end.kind()).isEqualTo(FailureKind.CANNOT_CONNECT);
      assertThat(end).hasMessage("it: refused");
      hopeless.end(end);
      assertThat(refused.requests()).isEqualTo(3);
      assertThat(refused.causes()).containsExactly(entry("refused", 2));
    }
  }
}
