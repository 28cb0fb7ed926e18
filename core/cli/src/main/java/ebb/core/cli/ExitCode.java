package ebb.core.cli;

/** How a command ended, as the shell sees it. */
public enum ExitCode {
  DONE(0),
  INTERNAL(1),
  USAGE(2),
  CANNOT_CONNECT(3),
  REFUSED_OR_BUSY(4),
  INCOMPLETE(5),
  THRESHOLD_FAILED(99);

  private final int value;

  ExitCode(int value) {
    this.value = value;
  }

  public int value() {
    return value;
  }
}
