package ebb.net.bench;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM with this one's class path, which says what it has to say in lines: a word and
 * numbers. It ends when its standard input does, so it never outlives this process.
 */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  ChildJvm(Class<?> mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass.getName());
    command.addAll(Arrays.asList(arguments));
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot start a second JVM: " + e.getMessage(), e);
    }
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The numbers behind {@code word} in the line that starts with it; skips other lines. */
  long[] await(String word) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(word + " ")) {
          return Arrays.stream(line.substring(word.length() + 1).split(" ", -1))
              .mapToLong(Long::parseLong)
              .toArray();
        }
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "lost the second JVM: " + e.getMessage(), e);
    }
    throw new EbbException(ExitCode.INTERNAL, "the second JVM ended early");
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
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
