package ebb.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs beside this one, and says and is told lines. It owns the process: {@link
 * #close} ends it, and {@link #endAll} ends all of them. One thread reads, and one writes.
 */
public final class RunningProgram implements AutoCloseable {
  private static final int MAX_ERROR = 300;
  private static final int MAX_ERRORS = 5;
  private static final long GRACE_MILLIS = 1_000;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  private final Process process;
  private final BufferedReader lines;
  private final Queue<String> lastErrors = new ArrayDeque<>();
  private final @Nullable Thread errors;

  RunningProgram(Process process, boolean keepsErrors) {
    this.process = process;
    RUNNING.add(process);
    lines = process.inputReader(StandardCharsets.UTF_8);
    errors = keepsErrors ? new Thread(this::keepErrors, "ebb-errors") : null;
    if (errors != null) {
      errors.setDaemon(true);
      errors.start();
    }
  }

  /** Where its standard error goes. */
  public enum Errors {
    /** Among the lines of its standard output. */
    READ,
    /** To this process's own. */
    SHOWN,
    /** Its last lines are kept: {@link #lastErrors}. */
    KEPT,
    DROPPED
  }

  /**
   * The next line that it says; waits for it. Null when it has ended.
   *
   * @throws IOException when it cannot be read any more
   */
  public @Nullable String readLine() throws IOException {
    return lines.readLine();
  }

  /**
   * Its lines, bounded, for a program that is not trusted; instead of {@link #readLine}.
   *
   * @param most characters of a line
   */
  public BoundedLines boundedLines(int most) {
    return new BoundedLines(lines, most);
  }

  private void keepErrors() {
    try (BufferedReader from = process.errorReader(StandardCharsets.UTF_8)) {
      StringBuilder line = new StringBuilder();
      for (int c = from.read(); c >= 0; c = from.read()) {
        if (c == '\n') {
          keepError(line.toString().strip());
          line.setLength(0);
        } else if (line.length() < MAX_ERROR) {
          line.append((char) c);
        }
      }
      keepError(line.toString().strip());
    } catch (IOException ended) {
      // It says nothing more.
    }
  }

  private void keepError(String line) {
    synchronized (lastErrors) {
      if (!line.isEmpty()) {
        lastErrors.add(line);
      }
      if (lastErrors.size() > MAX_ERRORS) {
        lastErrors.remove();
      }
    }
  }

  /** The last lines of its standard error, if they are kept; all of them when it has ended. */
  public List<String> lastErrors() {
    if (errors != null && !process.isAlive()) {
      try {
        errors.join(GRACE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    synchronized (lastErrors) {
      return List.copyOf(lastErrors);
    }
  }

  /**
   * Tells it a line.
   *
   * @throws IOException when it has ended
   */
  public void writeLine(String line) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  /** Tells it that nothing more comes. */
  public void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException ended) {
      // It has ended already.
    }
  }

  /** Waits for its end; false when it has not come by then. */
  public boolean awaitEnd(Duration atMost) throws InterruptedException {
    return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** CPU time that it has used so far; empty when it has ended or nobody knows. */
  public Optional<Duration> cpuTime() {
    return process.info().totalCpuDuration();
  }

  /** Ends it, at once. */
  @Override
  public void close() {
    process.destroyForcibly();
    RUNNING.remove(process);
  }

  /** Ends all that are running, for when this process is about to. From any thread. */
  public static void endAll() {
    RUNNING.forEach(Process::destroyForcibly);
  }
}
