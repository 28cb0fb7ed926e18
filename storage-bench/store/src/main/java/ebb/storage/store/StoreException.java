package ebb.storage.store;

import ebb.storage.port.FailureKind;
import org.jspecify.annotations.Nullable;

/** An operation failed in a way that stores are known to fail; the message is one line. */
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;

  public StoreException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  public StoreException(FailureKind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public FailureKind kind() {
    return kind;
  }

  /** The message; never null. */
  public String line() {
    return String.valueOf(getMessage());
  }
}
