package ebb.storage.port;

/** Why an operation failed, in the words that all stores share. */
public enum FailureKind {
  /** The request makes no sense, such as a name that no store accepts. */
  INVALID,
  /** No such container or object. */
  NOT_FOUND,
  /** The name is taken. */
  ALREADY_EXISTS,
  /** The container still holds objects. */
  NOT_EMPTY,
  /** The store knows who asks and says no. */
  NO_PERMISSION,
  /** Nobody has told this process who it is. */
  NO_CREDENTIALS,
  /** The store cannot be reached. */
  CANNOT_CONNECT,
  /** The store was reached and did not do it: overload, a time-out, a broken connection. */
  UNAVAILABLE,
  /** What arrived, or what the store says that it has, is not what was sent. */
  CORRUPT,
  NO_SPACE,
  CANCELLED,
  /** A fault of Ebb or of a library. */
  INTERNAL;

  /** Whether the same request may succeed a little later. */
  public boolean isRetryable() {
    return this == UNAVAILABLE || this == CORRUPT || this == CANNOT_CONNECT;
  }
}
