package ebb.core.cli;

import ebb.core.text.OneLine;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options {@code --qlog} and {@code --qlog-level}, for all commands with LEDBAT connections.
 * Owns when the file is opened and that it is complete however the command ends; what is in it is
 * the caller's business.
 */
public final class QlogOption {
  private static final long CLOSE_MILLIS = 2_000;

  @Option(
      names = "--qlog",
      paramLabel = "FILE",
      description = "Write what happens to each LEDBAT connection to FILE (qlog, docs/qlog.md).")
  @Nullable Path file;

  @Option(
      names = "--qlog-level",
      paramLabel = "LEVEL",
      description =
          "packets: all that happens; figures: without single packets, and the window, rate and"
              + " delays every 10 ms at most (default: packets).")
  @Nullable Level level;

  /** How much is written. */
  enum Level {
    PACKETS,
    FIGURES
  }

  /** Creates a file, or empties it. */
  @FunctionalInterface
  public interface Creator<T extends Closeable> {
    /**
     * Creates it.
     *
     * @param packets whether single packets are written, too
     * @param onFailure takes one line should writing fail later
     */
    T create(Path file, boolean packets, Consumer<String> onFailure) throws IOException;
  }

  /** The file of a command that runs; nothing where none was asked for. */
  public static final class Opened<T extends Closeable> implements AutoCloseable {
    private final @Nullable T file;
    private final Interrupts.@Nullable Registration interrupts;

    private Opened(@Nullable T file) {
      this.file = file;
      // Registered before the command's own action, so that it runs after that.
      interrupts =
          file == null
              ? null
              : Interrupts.onInterrupt(CLOSE_MILLIS, ExitCode.INCOMPLETE, () -> close(file));
    }

    /** What to write to; null for nothing. */
    public @Nullable T file() {
      return file;
    }

    @Override
    public void close() {
      if (file != null && interrupts != null) {
        close(file);
        interrupts.close();
      }
    }

    private static void close(Closeable file) {
      try {
        file.close();
      } catch (IOException failure) {
        warn(OneLine.of(failure));
      }
    }
  }

  /**
   * Opens what the option names, before anything runs.
   *
   * @throws EbbException USAGE when it cannot be written, or there is only its level
   */
  public <T extends Closeable> Opened<T> open(Creator<T> creator) {
    if (file == null && level != null) {
      throw new EbbException(ExitCode.USAGE, "--qlog-level goes with --qlog");
    }
    if (file == null) {
      return new Opened<>(null);
    }
    try {
      return new Opened<>(creator.create(file, level != Level.FIGURES, QlogOption::warn));
    } catch (IOException refused) {
      throw new EbbException(
          ExitCode.USAGE, "cannot write " + file + ": " + OneLine.of(refused), refused);
    }
  }

  private static void warn(String line) {
    System.err.println("ebb: " + TerminalText.printable(line));
  }
}
