package ebb.memory;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same kernels in C (kernels.c in this package's resources), compiled here by gcc. It owns the
 * compiled program, in a directory of its own that goes with it.
 */
final class CReference implements AutoCloseable {
  /** As the published figures of STREAM are mostly made. */
  static final List<String> COMPILER = List.of("gcc", "-O3", "-fopenmp");

  private final Path directory;
  private final Path program;
  private volatile @Nullable Process running;
  private volatile boolean stopped;

  /** Whether there is a compiler to make it with. */
  static boolean isPossible() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, COMPILER.get(0))));
  }

  /**
   * Compiles it.
   *
   * @throws EbbException when there is no gcc, or it fails
   */
  CReference() throws InterruptedException {
    try {
      directory = Files.createTempDirectory("ebb-memory");
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY, "cannot make a temporary directory: " + e.getMessage(), e);
    }
    program = directory.resolve("kernels");
    boolean made = false;
    try (InputStream source = CReference.class.getResourceAsStream("kernels.c")) {
      if (source == null) {
        throw new IllegalStateException("kernels.c is missing");
      }
      Path file = directory.resolve("kernels.c");
      Files.copy(source, file);
      List<String> words = new ArrayList<>(COMPILER);
      words.addAll(List.of(file.toString(), "-o", program.toString(), "-lm"));
      output(words, "1", "--compare-stream needs gcc, which is not installed here");
      made = true;
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY, "cannot write the C kernels: " + e.getMessage(), e);
    } finally {
      if (!made) {
        close();
      }
    }
  }

  /**
   * Bytes a second by kernel, counted as {@link StreamBench} does; null when it was stopped.
   *
   * @param hugePages whether to ask the kernel for them, as this JVM does
   */
  @Nullable List<Double> measure(int elements, int repeats, int threads, boolean hugePages)
      throws InterruptedException {
    List<String> words =
        List.of(program.toString(), "" + elements, "" + repeats, hugePages ? "1" : "0");
    String line = output(words, "" + threads, "cannot start the C kernels").strip();
    if (stopped) {
      return null;
    }
    String[] seconds = line.split(" ", -1);
    List<Double> bytesPerSecond = new ArrayList<>();
    for (Kernels kernel : Kernels.values()) {
      double bytes = (double) kernel.arrays * Double.BYTES * elements;
      bytesPerSecond.add(bytes / Double.parseDouble(seconds[kernel.place]));
    }
    return bytesPerSecond;
  }

  /** Ends what runs; nothing runs from now on. */
  void stop() {
    stopped = true;
    Process process = running;
    if (process != null) {
      process.destroy();
    }
  }

  private String output(List<String> words, String threads, String absent)
      throws InterruptedException {
    Process process;
    try {
      ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
      builder.redirectInput(new File("/dev/null"));
      builder.environment().put("OMP_NUM_THREADS", threads);
      process = builder.start();
    } catch (IOException e) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, absent, e);
    }
    running = process;
    if (stopped) {
      process.destroy();
    }
    try {
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0 && !stopped) {
        throw new EbbException(
            ExitCode.INTERNAL,
            Path.of(words.get(0)).getFileName()
                + " ended with "
                + code
                + ": "
                + text.lines().findFirst().orElse("no reason given"));
      }
      return text;
    } catch (IOException e) {
      if (stopped) {
        return "";
      }
      throw new EbbException(ExitCode.INTERNAL, "cannot read what the C kernels say", e);
    } finally {
      process.destroy();
      running = null;
    }
  }

  @Override
  public void close() {
    for (String name : List.of("kernels.c", "kernels", "")) {
      try {
        Files.deleteIfExists(directory.resolve(name));
      } catch (IOException e) {
        System.err.println("ebb: cannot remove " + directory.resolve(name));
      }
    }
  }
}
