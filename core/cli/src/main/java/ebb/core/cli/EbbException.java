package ebb.core.cli;

import org.jspecify.annotations.Nullable;

/** A command cannot go on; the message is the one line that the user reads. */
public final class EbbException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ExitCode exitCode;

  public EbbException(ExitCode exitCode, String message) {
    this(exitCode, message, null);
  }

  public EbbException(ExitCode exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public ExitCode exitCode() {
    return exitCode;
  }
}
