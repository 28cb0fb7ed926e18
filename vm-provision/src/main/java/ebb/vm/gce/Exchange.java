package ebb.vm.gce;

import com.google.api.client.googleapis.services.AbstractGoogleClientRequest;
import com.google.api.client.http.HttpResponseException;
import com.google.api.services.compute.Compute;
import com.google.api.services.compute.model.Operation;
import ebb.core.rand.UnpredictableRandom;
import ebb.vm.port.FailureKind;
import ebb.vm.port.ProvisionPort.Step;
import ebb.vm.provider.Call;
import ebb.vm.provider.ProviderException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests until one is answered, and waits for operations. The library does neither: it
 * gives up at the first 503, and calls an operation that has begun a success.
 */
final class Exchange {
  /** A wait call that comes back sooner than this with nothing new is not asked again at once. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  private static final Duration FIRST_POLL = Duration.ofMillis(250);
  private static final Duration LONGEST_POLL = Duration.ofSeconds(5);
  private static final long MAX_RETRY_AFTER_SECONDS = 300;

  private final Compute compute;
  private final ComputeOptions options;
  private final ComputeErrors errors;
  private final RandomGenerator random = new UnpredictableRandom();

  /** Makes a request; the library checks path parameters then. */
  interface Making<T> {
    AbstractGoogleClientRequest<T> make() throws IOException;
  }

  /** Makes the request of a listing's page. */
  interface Listing<T> {
    AbstractGoogleClientRequest<T> from(@Nullable String page) throws IOException;
  }

  Exchange(Compute compute, ComputeOptions options) {
    this.compute = compute;
    this.options = options;
    errors = new ComputeErrors(options.project());
  }

  /**
   * Sends a request, the very same one after each failure that may pass, its request id included.
   *
   * @param what is asked for, to begin an error's line with
   */
  <T> T run(Call call, String what, Making<T> making) throws ProviderException {
    AbstractGoogleClientRequest<T> request;
    try {
      request = making.make();
    } catch (IllegalArgumentException | IOException e) {
      throw new ProviderException(
          FailureKind.INVALID, what + ": " + String.valueOf(e.getMessage()), e);
    }
    for (int attempt = 1; ; attempt++) {
      call.countRequest();
      try {
        return request.execute();
      } catch (IOException e) {
        ProviderException failure = errors.translated(e, what);
        if (!failure.kind().isRetryable() || attempt >= options.policy().maxAttempts()) {
          throw failure;
        }
        Duration pause = options.policy().backoff(attempt, random);
        Duration asked = retryAfter(e).orElse(Duration.ZERO);
        call.backOff(asked.compareTo(pause) > 0 ? asked : pause, failure.line());
      }
    }
  }

  private static Optional<Duration> retryAfter(IOException e) {
    String header =
        e instanceof HttpResponseException http && http.getHeaders() != null
            ? http.getHeaders().getRetryAfter()
            : null;
    try {
      return header == null
          ? Optional.empty()
          : Optional.of(
              Duration.ofSeconds(
                  Math.max(0, Math.min(MAX_RETRY_AFTER_SECONDS, Long.parseLong(header.trim())))));
    } catch (NumberFormatException aDate) {
      return Optional.empty();
    }
  }

  /**
   * Asks for one page of a listing after the other.
   *
   * @param next what an answer says of the page after it; null at the end
   */
  <T> void pages(
      Call call,
      String what,
      Listing<T> listing,
      Function<T, @Nullable String> next,
      Consumer<T> each)
      throws ProviderException {
    String page = null;
    do {
      String token = page;
      T answer = run(call, what, () -> listing.from(token));
      each.accept(answer);
      page = next.apply(answer);
    } while (page != null);
  }

  /**
   * Sends a request that begins an operation, and waits for that one's end.
   *
   * @param zone null for an operation of the whole project
   */
  void mutate(Call call, String what, Making<Operation> making, @Nullable String zone)
      throws ProviderException {
    await(call, what, run(call, what, making), zone);
  }

  /**
   * Waits for the end of an operation.
   *
   * @param zone null for an operation of the whole project
   */
  private void await(Call call, String what, Operation begun, @Nullable String zone)
      throws ProviderException {
    call.progress(Step.ACCEPTED, what + ": " + begun.getName());
    Operation operation = begun;
    Duration poll = FIRST_POLL;
    long from = options.pause().nowMicros();
    while (!"DONE".equals(operation.getStatus())) {
      long asked = options.pause().nowMicros();
      if (asked - from >= options.operationTimeout().toNanos() / 1_000) {
        throw new ProviderException(
            FailureKind.TIMED_OUT,
            what
                + ": still "
                + operation.getStatus()
                + " after "
                + options.operationTimeout().toSeconds()
                + " s; it may yet happen ("
                + begun.getName()
                + ")");
      }
      // "waits for no more than the 2 minutes ..., and then returns the current state of the
      // operation, which might be DONE or still in progress."
      operation = run(call, what, () -> waiting(begun.getName(), zone));
      if (!"DONE".equals(operation.getStatus())) {
        call.progress(
            Step.RUNNING, what + ": " + operation.getStatus() + " " + progress(operation) + "%");
        if (options.pause().nowMicros() - asked < PROMPT.toNanos() / 1_000) {
          call.sleep(poll);
          poll =
              poll.multipliedBy(2).compareTo(LONGEST_POLL) < 0
                  ? poll.multipliedBy(2)
                  : LONGEST_POLL;
        }
      }
    }
    ProviderException failure = errors.ofOperation(operation, what);
    if (failure != null) {
      throw failure;
    }
  }

  private AbstractGoogleClientRequest<Operation> waiting(String name, @Nullable String zone)
      throws IOException {
    return zone == null
        ? compute.globalOperations().wait(options.project(), name)
        : compute.zoneOperations().wait(options.project(), zone, name);
  }

  private static int progress(Operation operation) {
    return operation.getProgress() == null ? 0 : operation.getProgress();
  }
}
