package ebb.memory;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.core.process.StoppableRuns;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The same kernels in C (kernels.c in this package's resources), compiled here by gcc. It owns the
 * compiled program, in a directory of its own that goes with it.
 */
final class CReference implements AutoCloseable {
  /** As the published figures of STREAM are mostly made. */
  static final List<String> COMPILER = List.of("gcc", "-O3", "-fopenmp");

  private static final Duration LONGEST_RUN = Duration.ofHours(2);

  private final Path directory;
  private final Path program;
  private final StoppableRuns runs = new StoppableRuns();

  /** Whether there is a compiler to make it with. */
  static boolean isPossible() {
    return Program.isInstalled(COMPILER.get(0));
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
          ExitCode.REFUSED_OR_BUSY, "cannot make a temporary directory: " + OneLine.of(e), e);
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
      output(words, 1);
      made = true;
    } catch (IOException e) {
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY, "cannot write the C kernels: " + OneLine.of(e), e);
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
    String line = output(words, threads).strip();
    if (runs.isStopped()) {
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
    runs.stop();
  }

  /** What it says; "" when it was stopped. */
  private String output(List<String> words, int threads) throws InterruptedException {
    Program.Ended ended;
    try {
      Program it = Program.of(words).with("OMP_NUM_THREADS", "" + threads);
      ended = runs.run(it, LONGEST_RUN);
    } catch (IOException e) {
      throw new EbbException(ExitCode.REFUSED_OR_BUSY, "--compare-stream: " + OneLine.of(e), e);
    }
    if (ended == null) {
      return "";
    }
    if (!ended.isDone()) {
      throw new EbbException(
          ExitCode.INTERNAL,
          Path.of(words.get(0)).getFileName()
              + " ended with "
              + ended.code()
              + ": "
              + OneLine.of(ended.output(), "no reason given"));
    }
    return ended.output();
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
