package ebb.vm.run;

import ebb.core.cli.ExitCode;
import ebb.vm.port.FailureKind;

/** How a command ends when a request has failed. */
public final class FailureCodes {
  private FailureCodes() {}

  public static ExitCode exitCode(FailureKind kind) {
    return switch (kind) {
      case CANNOT_CONNECT, NO_CREDENTIALS -> ExitCode.CANNOT_CONNECT;
      case INVALID, NOT_FOUND, ALREADY_EXISTS -> ExitCode.USAGE;
      case NO_PERMISSION, API_DISABLED, BILLING_OFF, QUOTA, STOCK_OUT, UNAVAILABLE ->
          ExitCode.REFUSED_OR_BUSY;
      case OPERATION_FAILED, TIMED_OUT, CANCELLED -> ExitCode.INCOMPLETE;
      case INTERNAL -> ExitCode.INTERNAL;
    };
  }
}
