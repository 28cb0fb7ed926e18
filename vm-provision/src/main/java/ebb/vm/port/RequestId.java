package ebb.vm.port;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What makes a mutation idempotent: a service that has seen it does not act again. All attempts of
 * one request carry the same one.
 */
public record RequestId(UUID value) {
  public RequestId {
    // "The request ID must be a valid UUID with the exception that zero UUID is not supported."
    if (value.getMostSignificantBits() == 0 && value.getLeastSignificantBits() == 0) {
      throw new IllegalArgumentException("the zero UUID is no request id");
    }
  }

  public static RequestId fresh() {
    return new RequestId(UUID.randomUUID());
  }

  /**
   * The id of a step of a run: the same for the same words, so that a process that resumes a run
   * after a crash repeats the request instead of making a second one.
   *
   * @param attempt counts deliberate repetitions, such as a creation after a deletion
   */
  public static RequestId of(String runId, String step, String name, int attempt) {
    String words = runId + '\n' + step + '\n' + name + '\n' + attempt;
    return new RequestId(UUID.nameUUIDFromBytes(words.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
