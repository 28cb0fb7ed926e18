package ebb.core.process;

import ebb.core.text.OneLine;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program to run: its words and its environment. {@link #run} owns the process until its end,
 * {@link #startAlone} leaves it to itself; either way it reads nothing, and standard error goes
 * where standard output goes. {@link #startBeside} is for those that are talked to, and {@link
 * #startInPlace} for one that this process stands for.
 */
public final class Program {
  /** More is read and forgotten. */
  private static final int MAX_OUTPUT_BYTES = 16 << 20;

  private static final long GRACE_SECONDS = 2;

  private final List<String> words;
  private final Map<String, String> variables = new LinkedHashMap<>();

  private Program(List<String> words) {
    this.words = List.copyOf(words);
  }

  /**
   * How a program ended.
   *
   * @param code 0 when all went well
   * @param output what it said, the first 16 MiB
   */
  public record Ended(int code, String output) {
    public boolean isDone() {
      return code == 0;
    }

    /** Without spaces around it; "" when it said nothing. */
    public String lastLine() {
      String text = output.strip();
      return text.substring(text.lastIndexOf('\n') + 1);
    }
  }

  /** A program by its name or path, and its arguments. */
  public static Program of(List<String> words) {
    return new Program(words);
  }

  public static Program of(String... words) {
    return new Program(Arrays.asList(words));
  }

  /** Whether a program of that name is on the PATH. */
  public static boolean isInstalled(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
  }

  /** Sets a variable of its environment, which is this process's otherwise. */
  public Program with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  /**
   * Runs it to its end.
   *
   * @param atMost after which it and its children are ended
   * @throws IOException with one line when it is not installed, cannot be started, or does not end
   * @throws InterruptedException when the thread is interrupted; the program is ended then
   */
  public Ended run(Duration atMost) throws IOException, InterruptedException {
    return finish(start(null), atMost);
  }

  /**
   * Starts it and leaves it alone: it may live longer than this process.
   *
   * @param log gets what it says
   * @throws IOException with one line when it is not installed or cannot be started
   */
  public ProcessHandle startAlone(Path log) throws IOException {
    return start(log).toHandle();
  }

  /**
   * Starts it beside this process, to be told and to say lines.
   *
   * @throws IOException with one line when it is not installed or cannot be started
   */
  public RunningProgram startBeside(RunningProgram.Errors errors) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    switch (errors) {
      case READ -> builder.redirectErrorStream(true);
      case SHOWN -> builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      case KEPT -> builder.redirectError(ProcessBuilder.Redirect.PIPE);
      case DROPPED -> builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    }
    return new RunningProgram(launch(builder), errors == RunningProgram.Errors.KEPT);
  }

  /**
   * Starts it in the place of this process, whose input, output and signals it gets.
   *
   * @throws IOException with one line when it is not installed or cannot be started
   */
  public InPlaceProgram startInPlace() throws IOException {
    InPlaceProgram program = new InPlaceProgram();
    program.onStarted(launch(new ProcessBuilder(words).inheritIO()));
    return program;
  }

  Process start(@Nullable Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.redirectInput(new File("/dev/null"));
    if (log != null) {
      builder.redirectOutput(log.toFile());
    }
    return launch(builder);
  }

  private Process launch(ProcessBuilder builder) throws IOException {
    builder.environment().putAll(variables);
    try {
      return builder.start();
    } catch (IOException e) {
      boolean found = Files.exists(Path.of(words.get(0))) || isInstalled(words.get(0));
      throw new IOException(
          found
              ? "cannot start " + name() + ": " + OneLine.of(e)
              : name() + " is not installed here",
          e);
    }
  }

  Ended finish(Process process, Duration atMost) throws IOException, InterruptedException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Thread reader = new Thread(() -> read(process, said), "ebb-output");
    reader.setDaemon(true);
    reader.start();
    try {
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(name() + " did not end within " + atMost.toSeconds() + " s");
      }
      // A child that it left behind may hold the other end open.
      TimeUnit.SECONDS.timedJoin(reader, GRACE_SECONDS);
      synchronized (said) {
        return new Ended(process.exitValue(), said.toString(StandardCharsets.UTF_8));
      }
    } finally {
      end(process);
    }
  }

  private static void read(Process process, ByteArrayOutputStream into) {
    byte[] buffer = new byte[8_192];
    try (InputStream from = process.getInputStream()) {
      for (int got = from.read(buffer); got >= 0; got = from.read(buffer)) {
        synchronized (into) {
          into.write(buffer, 0, Math.min(got, MAX_OUTPUT_BYTES - into.size()));
        }
      }
    } catch (IOException ended) {
      // It says nothing more.
    }
  }

  /** Asks it and its children to end, and ends what is still there two seconds later. */
  static void end(Process process) {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
    try {
      process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  private Path name() {
    return Path.of(words.get(0)).getFileName();
  }
}
