package ebb.core.attempts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request failed in a way that services are known to fail; the message is one line. */
public final class RequestFailedException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;
  private final Duration retryAfter;
  private final boolean lasting;

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
    this(kind, message, cause, retryAfter, false);
  }

  private RequestFailedException(
      FailureKind kind,
      @Nullable String message,
      @Nullable Throwable cause,
      Duration retryAfter,
      boolean lasting) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.lasting = lasting;
  }

  public FailureKind kind() {
    return kind;
  }

  /** One like it, of which the next attempt would fail as this one did, whatever its kind. */
  public RequestFailedException lasting() {
    return new RequestFailedException(kind, getMessage(), this, retryAfter, true);
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
