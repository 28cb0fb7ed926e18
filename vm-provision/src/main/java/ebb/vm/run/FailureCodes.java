package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.cli.ExitCode;

/** How a command ends when a request has failed. */
public final class FailureCodes {
  private FailureCodes() {}

  public static ExitCode exitCode(FailureKind kind) {
    return switch (kind) {
      case CANNOT_CONNECT, NO_CREDENTIALS -> ExitCode.CANNOT_CONNECT;
      case INVALID, NOT_FOUND, ALREADY_EXISTS -> ExitCode.USAGE;
      case OPERATION_FAILED, TIMED_OUT, CANCELLED, CORRUPT -> ExitCode.INCOMPLETE;
      case INTERNAL -> ExitCode.INTERNAL;
      default -> ExitCode.REFUSED_OR_BUSY;
    };
  }
}
