package ebb.selfbench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Another process, which says what it has to say in lines: a word and numbers. It ends when its
 * standard input does, so it never outlives this process.
 */
class Child implements AutoCloseable {
  private static final long END_SECONDS = 5;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Process process;
  private final BufferedReader lines;

  Child(String name, List<String> command) {
    this.name = name;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot start " + name + ": " + e.getMessage(), e);
    }
    track(process);
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The numbers behind {@code word} in the line that starts with it; skips other lines. */
  long[] await(String word) {
    String rest = awaitText(word);
    return rest.isEmpty()
        ? new long[0]
        : Arrays.stream(rest.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  private String awaitText(String word) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals(word)) {
          return "";
        }
        if (line.startsWith(word + " ")) {
          return line.substring(word.length() + 1);
        }
        if (line.startsWith("FAILED ")) {
          throw new EbbException(ExitCode.INCOMPLETE, name + ": " + line.substring(7));
        }
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "lost " + name + ": " + e.getMessage(), e);
    }
    throw new EbbException(ExitCode.INTERNAL, name + " ended early");
  }

  /** What it has done by now. */
  Mark mark() {
    try {
      OutputStream in = process.getOutputStream();
      in.write("mark\n".getBytes(StandardCharsets.UTF_8));
      in.flush();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name + " ended early: " + e.getMessage(), e);
    }
    return Mark.parse(awaitText("MARK"));
  }

  /** Tells it to end. */
  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  @Override
  public void close() {
    endInput();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      forget(process);
    }
  }

  /** It is to end when this process is interrupted. */
  static void track(Process started) {
    RUNNING.add(started);
  }

  /** It has ended. */
  static void forget(Process ended) {
    RUNNING.remove(ended);
  }

  /** Ends all that are running, for when this process is about to. */
  static void destroyAll() {
    RUNNING.forEach(Process::destroyForcibly);
  }
}
