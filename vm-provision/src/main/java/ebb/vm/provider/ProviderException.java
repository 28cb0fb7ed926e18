package ebb.vm.provider;

import ebb.vm.port.FailureKind;
import org.jspecify.annotations.Nullable;

/** A request failed in a way that providers are known to fail; the message is one line. */
public final class ProviderException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureKind kind;

  public ProviderException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  public ProviderException(FailureKind kind, String message, @Nullable Throwable cause) {
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
