package ebb.storage.demo;

/** A request that is answered with an error. */
final class ApiException extends Exception {
  private static final long serialVersionUID = 1;

  final int status;
  final String reason;

  ApiException(int status, String reason, String message) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}
