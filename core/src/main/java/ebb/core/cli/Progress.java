package ebb.core.cli;

import ebb.core.time.MicroClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Progress of long work on standard error: on a terminal one line that is written over, up to five
 * times a second; otherwise a plain line every 10 s, without control characters. Not thread-safe.
 */
public final class Progress {
  private static final long TERMINAL_PERIOD_MICROS = 200_000;
  private static final long PLAIN_PERIOD_MICROS = 10_000_000;
  private static final int DEFAULT_COLUMNS = 100;

  private final PrintStream err;
  private final boolean terminal;
  private final int columns;
  private final MicroClock clock;
  private long nextMicros;
  private int shownLength;

  /**
   * Progress on {@code err}.
   *
   * @param terminal whether {@code err} is one
   * @param columns its width
   */
  public Progress(PrintStream err, boolean terminal, int columns, MicroClock clock) {
    this.err = err;
    this.terminal = terminal;
    this.columns = columns;
    this.clock = clock;
    nextMicros = clock.nowMicros() + (terminal ? 0 : PLAIN_PERIOD_MICROS);
  }

  /** Progress on the process's standard error. */
  public static Progress standard(Output output) {
    return new Progress(
        output.err(), isTerminal(), columnsOf(System.getenv("COLUMNS")), MicroClock.system());
  }

  /** Java has no word for it; the kernel has. Elsewhere the answer is no, which is always safe. */
  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static int columnsOf(@Nullable String text) {
    try {
      return text == null ? DEFAULT_COLUMNS : Math.max(20, Integer.parseInt(text.trim()));
    } catch (NumberFormatException e) {
      return DEFAULT_COLUMNS;
    }
  }

  /** Shows the line if it is time for one; {@code line} is asked only then. */
  public void update(Supplier<String> line) {
    long now = clock.nowMicros();
    if (now < nextMicros) {
      return;
    }
    nextMicros = now + (terminal ? TERMINAL_PERIOD_MICROS : PLAIN_PERIOD_MICROS);
    if (terminal) {
      rewrite(line.get());
    } else {
      err.println(line.get());
    }
  }

  /** Takes the line off the terminal, so that other words can be written. */
  public void clear() {
    if (terminal && shownLength > 0) {
      rewrite("");
      shownLength = 0;
    }
  }

  private void rewrite(String line) {
    String text = line.length() > columns - 1 ? line.substring(0, columns - 1) : line;
    StringBuilder out = new StringBuilder("\r").append(text);
    out.append(" ".repeat(Math.max(0, shownLength - text.length()))).append('\r').append(text);
    shownLength = text.length();
    err.print(out);
    err.flush();
  }
}
