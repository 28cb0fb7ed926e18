package ebb.vm.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, and what it took.
 *
 * @param durationMicros from its begin to its end, all attempts and back-off included
 * @param requests that went out to the service
 * @param retries requests that were sent again
 * @param backoffMicros spent waiting between attempts, part of the duration
 * @param troubles what went wrong on the way, oldest first, at most 8 lines
 * @param failure null when the request succeeded
 * @param message one line about the failure; "" when there is none
 */
public record Outcome(
    long durationMicros,
    int requests,
    int retries,
    long backoffMicros,
    List<String> troubles,
    @Nullable FailureKind failure,
    String message) {
  public Outcome {
    troubles = List.copyOf(troubles);
  }

  public boolean succeeded() {
    return failure == null;
  }
}
