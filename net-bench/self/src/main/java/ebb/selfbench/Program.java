package ebb.selfbench;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program of others that runs once and ends by itself; it tells what it does in JSON, a line an
 * event. Its CPU time is looked at every few milliseconds, because afterwards it is not known.
 */
final class Program implements AutoCloseable {
  private static final long LOOK_MILLIS = 5;
  private static final long END_SECONDS = 20;

  private final String name;
  private final Process process;
  private final BufferedReader lines;
  private volatile long cpuNanos;

  /** Starts it; what it prints to standard error is not seen. */
  Program(String name, List<String> command) {
    this(name, new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD));
  }

  private Program(String name, ProcessBuilder builder) {
    this.name = name;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot start " + name + ": " + e.getMessage(), e);
    }
    Child.track(process);
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    Thread watcher = new Thread(this::watch, "cpu of " + name);
    watcher.setDaemon(true);
    watcher.start();
  }

  /** Starts it; standard error is read like standard output. */
  static Program withErrors(String name, List<String> command) {
    return new Program(name, new ProcessBuilder(command).redirectErrorStream(true));
  }

  private void watch() {
    try {
      do {
        process.info().totalCpuDuration().map(Duration::toNanos).ifPresent(this::sawCpu);
      } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void sawCpu(long nanos) {
    cpuNanos = Math.max(cpuNanos, nanos);
  }

  /** As far as it was seen. */
  long cpuNanos() {
    return cpuNanos;
  }

  /** The next event of that name, with its fields; skips others. */
  Map<String, Object> await(String event) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          Map<String, Object> fields = JSON.std.mapFrom(line);
          if (event.equals(fields.get("event"))) {
            return fields;
          }
          if ("done".equals(fields.get("event"))) {
            throw new EbbException(ExitCode.INCOMPLETE, name + ": " + fields.get("end"));
          }
        }
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, "lost " + name + ": " + e.getMessage(), e);
    }
    throw new EbbException(ExitCode.INCOMPLETE, name + " ended early");
  }

  /** The next line that holds {@code words}; skips others. */
  String awaitLine(String words) {
    StringBuilder said = new StringBuilder();
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(words)) {
          return line;
        }
        said.append(line).append("; ");
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, "lost " + name + ": " + e.getMessage(), e);
    }
    throw new EbbException(ExitCode.INCOMPLETE, name + " ended early: " + said);
  }

  /** Everything it prints until it ends. */
  String readAll() {
    StringBuilder text = new StringBuilder();
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        text.append(line).append('\n');
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, "lost " + name + ": " + e.getMessage(), e);
    }
    return text.toString();
  }

  /** Waits for its end. */
  void end() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new EbbException(ExitCode.INCOMPLETE, name + " does not end");
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Child.forget(process);
  }
}
