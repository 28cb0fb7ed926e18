package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows of numbers in a CSV file, each there as soon as it is known; nothing without a file. A file
 * that can no longer be written is said once, on standard error. Thread-safe.
 */
final class CsvLines implements AutoCloseable {
  private final @Nullable Path file;
  private @Nullable Writer to;
  private boolean begun;

  private CsvLines(@Nullable Path file, @Nullable Writer to) {
    this.file = file;
    this.to = to;
  }

  /**
   * Begins the file anew.
   *
   * @throws EbbException USAGE when it cannot be written
   */
  static CsvLines open(@Nullable Path file) {
    try {
      return new CsvLines(
          file, file == null ? null : Files.newBufferedWriter(file, StandardCharsets.UTF_8));
    } catch (IOException unwritable) {
      throw new EbbException(
          ExitCode.USAGE, "cannot write " + file + ": " + OneLine.of(unwritable), unwritable);
    }
  }

  /** Adds a row; the first says the columns. */
  synchronized void add(Map<String, @Nullable Object> row) {
    Writer open = to;
    if (open == null) {
      return;
    }
    try {
      if (!begun) {
        begun = true;
        open.write(String.join(",", row.keySet()) + "\r\n");
      }
      open.write(row.values().stream().map(CsvLines::cell).collect(Collectors.joining(",")));
      open.write("\r\n");
      open.flush();
    } catch (IOException full) {
      to = null;
      System.err.println("ebb: cannot write " + file + ": " + OneLine.of(full));
    }
  }

  private static String cell(@Nullable Object value) {
    boolean known = value != null && !(value instanceof Double d && !Double.isFinite(d));
    return known ? String.valueOf(value) : "";
  }

  @Override
  public synchronized void close() {
    Writer open = to;
    to = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException unwritten) {
        System.err.println("ebb: cannot write " + file + ": " + OneLine.of(unwritten));
      }
    }
  }
}
