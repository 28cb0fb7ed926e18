package ebb.core.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command's words go: results to standard output, everything else to standard error. With
 * JSON asked for, standard output holds JSON only. Thread-safe.
 */
public final class Output {
  private final PrintStream out;
  private final PrintStream err;
  private final boolean json;

  public Output(PrintStream out, PrintStream err, boolean json) {
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** The process's streams, in UTF-8 whatever the locale. */
  public static Output standard(boolean json) {
    return new Output(
        new PrintStream(System.out, true, StandardCharsets.UTF_8),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        json);
  }

  public boolean isJson() {
    return json;
  }

  /** A line of the result for people; on standard error when standard output belongs to JSON. */
  public void line(String text) {
    (json ? err : out).println(text);
  }

  /** The result for machines; nothing unless JSON was asked for. */
  public void json(String text) {
    if (json) {
      out.println(text);
    }
  }

  /** A line that is not part of the result. */
  public void note(String text) {
    err.println(text);
  }

  public PrintStream err() {
    return err;
  }
}
