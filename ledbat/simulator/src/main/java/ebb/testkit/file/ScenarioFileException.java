package ebb.testkit.file;

/** A scenario file cannot be used; the message is one line with file and, where known, line. */
public final class ScenarioFileException extends Exception {
  private static final long serialVersionUID = 1L;

  ScenarioFileException(String message) {
    super(message);
  }
}
