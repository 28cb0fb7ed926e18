package ebb.core.cli;

import ebb.core.process.Program;
import ebb.core.time.MicroClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Progress of long work on standard error: on a terminal one line that is written over, up to five
 * times a second; otherwise a plain line every 10 s, without control characters. Control characters
 * in the lines themselves, such as in file names, are escaped. Not thread-safe.
 */
public final class Progress {
  private static final long TERMINAL_PERIOD_MICROS = 200_000;
  private static final long PLAIN_PERIOD_MICROS = 10_000_000;
  private static final long SECOND_MICROS = 1_000_000;
  private static final int DEFAULT_COLUMNS = 80;
  private static final int MIN_COLUMNS = 20;
  private static final int MAX_COLUMNS = 1_000;
  private static final Duration ASKING = Duration.ofMillis(500);

  private final PrintStream err;
  private final boolean terminal;
  private final int columns;
  private final MicroClock clock;
  private final long plainPeriodMicros;
  private long nextMicros;
  private int shownColumns;

  /**
   * Progress on {@code err}.
   *
   * @param terminal whether {@code err} is one
   * @param columns its width
   */
  public Progress(PrintStream err, boolean terminal, int columns, MicroClock clock) {
    this(err, terminal, columns, clock, PLAIN_PERIOD_MICROS);
  }

  private Progress(
      PrintStream err, boolean terminal, int columns, MicroClock clock, long plainPeriodMicros) {
    this.err = err;
    this.terminal = terminal;
    this.columns = columns;
    this.clock = clock;
    this.plainPeriodMicros = plainPeriodMicros;
    nextMicros = clock.nowMicros() + (terminal ? 0 : plainPeriodMicros);
  }

  /** Progress on the process's standard error. */
  public static Progress standard(Output output) {
    return standard(output, PLAIN_PERIOD_MICROS);
  }

  /**
   * The same for measurements, whose lines are worth keeping: without a terminal one line a second.
   */
  public static Progress everySecond(Output output) {
    return standard(output, SECOND_MICROS);
  }

  /** The same where standard error is a terminal; nothing elsewhere. */
  public static Optional<Progress> onTerminal(Output output) {
    Progress progress = standard(output, PLAIN_PERIOD_MICROS);
    return progress.terminal ? Optional.of(progress) : Optional.empty();
  }

  private static Progress standard(Output output, long plainPeriodMicros) {
    boolean terminal = isTerminal(System.getenv("TERM"));
    int columns = terminal ? columns(System.getenv("COLUMNS")) : DEFAULT_COLUMNS;
    return new Progress(output.err(), terminal, columns, MicroClock.system(), plainPeriodMicros);
  }

  /** Java has no word for it; the kernel has. Elsewhere the answer is no, which is always safe. */
  private static boolean isTerminal(@Nullable String term) {
    if ("dumb".equals(term)) {
      return false;
    }
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Shells set COLUMNS but seldom export it, so the terminal is asked as well. */
  private static int columns(@Nullable String environment) {
    int told = parseColumns(environment);
    if (told > 0) {
      return told;
    }
    int asked = parseColumns(askTerminal());
    return asked > 0 ? asked : DEFAULT_COLUMNS;
  }

  /** What {@code stty size} says, rows and columns; null when it cannot be had. */
  private static @Nullable String askTerminal() {
    try {
      String terminal = "/proc/" + ProcessHandle.current().pid() + "/fd/2";
      Program.Ended stty = Program.of("stty", "-F", terminal, "size").run(ASKING);
      String size = stty.lastLine();
      return stty.isDone() ? size.substring(size.indexOf(' ') + 1) : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** A believable width, or the default for 0 and for junk; a missing text is 0. */
  static int parseColumns(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    try {
      int columns = Integer.parseInt(text.trim());
      return columns <= 0 ? DEFAULT_COLUMNS : Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, columns));
    } catch (NumberFormatException e) {
      return DEFAULT_COLUMNS;
    }
  }

  /** Whether a line is written over, and may have what only a reader of the moment wants. */
  public boolean isTerminal() {
    return terminal;
  }

  /**
   * What fits into a line that is written over; 0 where lines are as long as they are. The last
   * column stays free: some terminals go on to the next line when it is written.
   */
  public int lineColumns() {
    return terminal ? columns - 1 : 0;
  }

  /** Shows the line if it is time for one; {@code line} is asked only then. */
  public void update(Supplier<String> line) {
    long now = clock.nowMicros();
    if (now < nextMicros) {
      return;
    }
    nextMicros = now + (terminal ? TERMINAL_PERIOD_MICROS : plainPeriodMicros);
    if (terminal) {
      rewrite(line.get());
    } else {
      err.println(TerminalText.printable(line.get()));
    }
  }

  /** Takes the line off the terminal, so that other words can be written. */
  public void clear() {
    if (terminal && shownColumns > 0) {
      rewrite("");
    }
  }

  private void rewrite(String line) {
    String text = TerminalText.fit(TerminalText.printable(line), lineColumns());
    int width = TerminalText.width(text);
    StringBuilder out = new StringBuilder("\r").append(text);
    if (width < shownColumns) {
      out.append(" ".repeat(shownColumns - width)).append('\r').append(text);
    }
    shownColumns = width;
    err.print(out);
    err.flush();
  }
}
