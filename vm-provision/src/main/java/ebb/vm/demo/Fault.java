package ebb.vm.demo;

import java.util.Optional;

/** Something that goes wrong with one request. */
public sealed interface Fault {
  /** The request is refused, and nothing happens. */
  record Refused(int status, String reason, String message, Optional<Integer> retryAfterSeconds)
      implements Fault {}

  /** The connection breaks before the request is looked at. */
  record Broken() implements Fault {}

  /** The request is carried out, and the connection breaks before the answer. */
  record AnswerLost() implements Fault {}

  /** The request is taken on, and its operation ends in an error. */
  record OperationFails(String code, String message, int httpStatus) implements Fault {}

  /** An operation is waited for, and the wait ends at once with what there is. */
  record WaitReturnsEarly() implements Fault {}

  static Fault status(int status) {
    return new Refused(status, "backendError", "Something is wrong just now.", Optional.empty());
  }

  static Fault refused(int status, String reason, String message) {
    return new Refused(status, reason, message, Optional.empty());
  }
}
