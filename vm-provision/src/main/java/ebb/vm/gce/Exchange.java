package ebb.vm.gce;

import com.google.api.client.googleapis.services.AbstractGoogleClientRequest;
import com.google.api.services.compute.Compute;
import com.google.api.services.compute.model.Operation;
import ebb.core.attempts.Contact;
import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.vm.port.ProvisionPort.Step;
import ebb.vm.provider.ProviderCall;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
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

  private final Compute compute;
  private final ComputeOptions options;
  private final ComputeErrors errors;
  private final Contact contact = new Contact();

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
  <T> T run(ProviderCall call, String what, Making<T> making) throws RequestFailedException {
    AbstractGoogleClientRequest<T> request;
    try {
      request = making.make();
    } catch (IllegalArgumentException | IOException e) {
      throw new RequestFailedException(FailureKind.INVALID, what + ": " + OneLine.of(e), e);
    }
    return call.retry(
        options.policy(),
        number -> {
          call.countRequest();
          try {
            T answer = request.execute();
            contact.answered();
            return answer;
          } catch (IOException e) {
            RequestFailedException failure = errors.translated(e, what);
            if (failure.kind() != FailureKind.CANNOT_CONNECT) {
              contact.answered();
            }
            throw contact.isHopeless(number) ? failure.lasting() : failure;
          }
        });
  }

  /**
   * Asks for one page of a listing after the other.
   *
   * @param next what an answer says of the page after it; null at the end
   */
  <T> void pages(
      ProviderCall call,
      String what,
      Listing<T> listing,
      Function<T, @Nullable String> next,
      Consumer<T> each)
      throws RequestFailedException {
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
  void mutate(ProviderCall call, String what, Making<Operation> making, @Nullable String zone)
      throws RequestFailedException {
    RequestFailedException failure = errors.ofOperation(done(call, what, making, zone), what);
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Sends a request that begins an operation, and waits for that one's end, whichever it is.
   *
   * @param zone null for an operation of the whole project
   */
  Operation done(ProviderCall call, String what, Making<Operation> making, @Nullable String zone)
      throws RequestFailedException {
    return end(call, what, run(call, what, making), zone);
  }

  /**
   * Waits for the end of an operation, whichever it is.
   *
   * @param zone null for an operation of the whole project
   */
  Operation end(ProviderCall call, String what, Operation begun, @Nullable String zone)
      throws RequestFailedException {
    call.progress(Step.ACCEPTED, what + ": " + begun.getName());
    Operation operation = begun;
    Duration poll = FIRST_POLL;
    long from = options.clock().nowMicros();
    while (!"DONE".equals(operation.getStatus())) {
      long asked = options.clock().nowMicros();
      if (asked - from >= options.operationTimeout().toNanos() / 1_000) {
        throw new RequestFailedException(
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
        if (options.clock().nowMicros() - asked < PROMPT.toNanos() / 1_000) {
          call.sleep(poll);
          poll =
              poll.multipliedBy(2).compareTo(LONGEST_POLL) < 0
                  ? poll.multipliedBy(2)
                  : LONGEST_POLL;
        }
      }
    }
    return operation;
  }

  ComputeErrors errors() {
    return errors;
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
