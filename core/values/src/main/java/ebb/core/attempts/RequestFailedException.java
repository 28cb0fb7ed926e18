package ebb.core.attempts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request failed in a way that services are known to fail; the message is one line. */
public final class RequestFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final Duration retryAfter;
  private boolean lasting;

  public RequestFailedException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  public RequestFailedException(FailureKind kind, String message, @Nullable Throwable cause) {
    this(kind, message, cause, Duration.ZERO);
  }

  /**
   * A failure with the service's own word on when to come back.
   *
   * @param retryAfter no next attempt is made sooner; zero when the service says nothing
   */
  public RequestFailedException(
      FailureKind kind, String message, @Nullable Throwable cause, Duration retryAfter) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  public FailureKind kind() {
    return kind;
  }

  /** The same, and the next attempt would fail as this one did, whatever its kind. */
  public RequestFailedException lasting() {
    lasting = true;
    return this;
  }

  /** Whether the same request may succeed a little later. */
  boolean isRetryable() {
    return kind.isRetryable() && !lasting;
  }

  /** The message; never null. */
  public String line() {
    return String.valueOf(getMessage());
  }

  Duration retryAfter() {
    return retryAfter;
  }
}
