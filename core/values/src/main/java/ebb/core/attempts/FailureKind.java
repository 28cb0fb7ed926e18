package ebb.core.attempts;

/** Why a request failed, in the words that all stores and all providers of VMs share. */
public enum FailureKind {
  /** The request makes no sense, such as a name or a machine type that is not there. */
  INVALID,
  /** No such container, object, VM, rule or zone. */
  NOT_FOUND,
  /** The name is taken, and not by an earlier attempt of the same request. */
  ALREADY_EXISTS,
  /** The container still holds objects. */
  NOT_EMPTY,
  /** The service knows who asks and says no. */
  NO_PERMISSION,
  /** Nobody has told this process who it is, or the service does not believe it. */
  NO_CREDENTIALS,
  /** The project has not switched the service on. */
  API_DISABLED,
  /** The project has no billing account. */
  BILLING_OFF,
  /** More than the project may have. */
  QUOTA,
  /** The zone has no such machines left just now; another one may. */
  STOCK_OUT,
  /** The device is full. */
  NO_SPACE,
  /** The service cannot be reached. */
  CANNOT_CONNECT,
  /** The service was reached and did not do it: overload, a time-out, a broken connection. */
  UNAVAILABLE,
  /** What arrived, or what the service says that it has, is not what was sent. */
  CORRUPT,
  /** The service began, and its operation ended in an error. */
  OPERATION_FAILED,
  /** It did not happen within the time that the caller gave. */
  TIMED_OUT,
  /** Given up by the caller. What had been sent may still happen. */
  CANCELLED,
  /** A fault of Ebb or of a library. */
  INTERNAL;

  /** Whether the same request may succeed a little later. */
  public boolean isRetryable() {
    return this == UNAVAILABLE || this == CORRUPT || this == CANNOT_CONNECT;
  }
}
