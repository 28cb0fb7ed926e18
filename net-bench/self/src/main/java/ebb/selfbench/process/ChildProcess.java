package ebb.selfbench.process;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.text.OneLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A process that this one starts and reads line by line. It owns its end, also by Ctrl-C. */
public abstract class ChildProcess implements AutoCloseable {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  final String name;
  final Process process;
  private final BufferedReader lines;

  ChildProcess(String name, ProcessBuilder builder) {
    this.name = name;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot start " + name + ": " + OneLine.of(e), e);
    }
    RUNNING.add(process);
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The next line of its standard output; null when it has ended. */
  final @Nullable String readLine() {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, "lost " + name + ": " + OneLine.of(e), e);
    }
  }

  /** Tells it to end, if it heeds the end of its input. */
  public final void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /** Ends it. */
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
