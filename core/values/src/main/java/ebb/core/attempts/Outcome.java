package ebb.core.attempts;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, and what it took.
 *
 * @param startMicros when it began, on its clock
 * @param durationMicros from its begin to its end, all attempts and back-off included, without what
 *     the caller did meanwhile ({@link Attempts#halt})
 * @param requests that went out to the service
 * @param retries what was tried again; each answers a failure
 * @param backoffMicros spent waiting between attempts, part of the duration
 * @param troubles what went wrong on the way, oldest first, at most 8 lines
 * @param failure null when the request succeeded
 * @param message one line about the failure; "" when there is none
 */
public record Outcome(
    long startMicros,
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

  public long endMicros() {
    return startMicros + durationMicros;
  }
}
