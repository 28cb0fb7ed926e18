package ebb.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs beside this one, and says and is told lines. It owns the process: {@link
 * #close} ends it, and {@link #endAll} ends all of them. One thread reads, and one writes.
 */
public final class RunningProgram implements AutoCloseable {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  private final Process process;
  private final BufferedReader lines;

  RunningProgram(Process process) {
    this.process = process;
    RUNNING.add(process);
    lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Where its standard error goes. */
  public enum Errors {
    /** Among the lines of its standard output. */
    READ,
    /** To this process's own. */
    SHOWN,
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
