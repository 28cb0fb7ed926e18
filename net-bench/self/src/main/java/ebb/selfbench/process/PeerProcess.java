package ebb.selfbench.process;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.RunningProgram;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A program that runs once and ends by itself; it tells what it does in lines, most in JSON, a line
 * an event. Its CPU time is looked at every few milliseconds, because afterwards it is not known.
 */
public final class PeerProcess extends ChildProcess {
  private static final Duration LOOK = Duration.ofMillis(5);
  private static final Duration END = Duration.ofSeconds(20);

  private volatile long cpuNanos;

  /** Starts it; what it prints to standard error is not seen. */
  public PeerProcess(String name, List<String> command) {
    this(name, command, RunningProgram.Errors.DROPPED);
  }

  private PeerProcess(String name, List<String> command, RunningProgram.Errors errors) {
    super(name, command, errors);
    endInput();
    Thread watcher = new Thread(this::watch, "cpu of " + name);
    watcher.setDaemon(true);
    watcher.start();
  }

  /** Starts it; standard error is read like standard output. */
  public static PeerProcess withErrors(String name, List<String> command) {
    return new PeerProcess(name, command, RunningProgram.Errors.READ);
  }

  private void watch() {
    try {
      do {
        program.cpuTime().map(Duration::toNanos).ifPresent(this::sawCpu);
      } while (!program.awaitEnd(LOOK));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void sawCpu(long nanos) {
    cpuNanos = Math.max(cpuNanos, nanos);
  }

  /** As far as it was seen. */
  public long cpuNanos() {
    return cpuNanos;
  }

  /** The next event of that name, with its fields; skips others. */
  public Map<String, Object> await(String event) {
    for (String line = readLine(); line != null; line = readLine()) {
      if (line.startsWith("{")) {
        Map<String, Object> fields = fields(line);
        if (event.equals(fields.get("event"))) {
          return fields;
        }
        if ("done".equals(fields.get("event"))) {
          throw new EbbException(ExitCode.INCOMPLETE, name + ": " + fields.get("end"));
        }
      }
    }
    throw new EbbException(ExitCode.INCOMPLETE, name + " ended early");
  }

  private Map<String, Object> fields(String line) {
    try {
      return JSON.std.mapFrom(line);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, name + " is not understood: " + OneLine.of(e), e);
    }
  }

  /** The next line that holds {@code words}; skips others. */
  public String awaitLine(String words) {
    StringBuilder said = new StringBuilder();
    for (String line = readLine(); line != null; line = readLine()) {
      if (line.contains(words)) {
        return line;
      }
      said.append(line).append("; ");
    }
    throw new EbbException(ExitCode.INCOMPLETE, name + " ended early: " + said);
  }

  /** Everything it prints until it ends. */
  public String readAll() {
    StringBuilder text = new StringBuilder();
    for (String line = readLine(); line != null; line = readLine()) {
      text.append(line).append('\n');
    }
    return text.toString();
  }

  /** Waits for its end. */
  public void end() throws InterruptedException {
    if (!program.awaitEnd(END)) {
      throw new EbbException(ExitCode.INCOMPLETE, name + " does not end");
    }
  }
}
