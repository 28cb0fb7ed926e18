package ebb.ledbat.command;

import ebb.core.cli.ExitCode;
import ebb.ledbat.connection.CloseReason;

/** How a command ends whose connection came to nothing. */
public final class FailedConnect {
  private FailedConnect() {}

  public static ExitCode exitCode(CloseReason reason) {
    return reason == CloseReason.KEY_REFUSED ? ExitCode.REFUSED_OR_BUSY : ExitCode.CANNOT_CONNECT;
  }
}
