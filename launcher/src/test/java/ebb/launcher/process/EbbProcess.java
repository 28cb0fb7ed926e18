package ebb.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.core.process.ThisProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An {@code ebb} in a JVM of its own, with the classes under test. */
final class EbbProcess implements AutoCloseable {
  static final long BOUND_SECONDS = 60;

  /** Tests start many short processes: compile little, and keep to a small heap. */
  static final List<String> FLAGS =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

  private static final Pattern LISTENING = Pattern.compile("listening on \\S+:(\\d+)[, \n]");

  final Process process;
  private final Path out;
  private final Path err;

  private EbbProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts {@code ebb} with nothing on standard input. */
  static EbbProcess start(Path logs, String... args) throws IOException {
    return start(logs, List.of(), null, args);
  }

  /**
   * Starts {@code ebb}.
   *
   * @param wrapper words to put before the java command
   * @param input standard input; null for an empty one
   */
  static EbbProcess start(Path logs, List<String> wrapper, Path input, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(wrapper);
    command.add(ThisProgram.java());
    command.addAll(FLAGS);
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // As ./ebb and the jar's manifest do.
    }
    command.addAll(ClassArchive.words());
    command.add("ebb.launcher.Main");
    command.addAll(Arrays.asList(args));
    Path out = Files.createTempFile(logs, "out", ".txt");
    Path err = Files.createTempFile(logs, "err", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("EBB_DEBUG");
    builder.redirectOutput(out.toFile());
    builder.redirectError(err.toFile());
    builder.redirectInput(input == null ? new java.io.File("/dev/null") : input.toFile());
    return new EbbProcess(builder.start(), out, err);
  }

  /** A receiver that listens; ask it for its {@link #port}. */
  static EbbProcess receiver(Path logs, Path dir, String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("ledbat", "receive", "--bind", "127.0.0.1"));
    args.addAll(List.of("--port", "0", "--dir", dir.toString()));
    args.addAll(Arrays.asList(options));
    return start(logs, args.toArray(String[]::new));
  }

  /** The port that it says it listens on; waits for that. */
  int port() throws Exception {
    Matcher[] found = new Matcher[1];
    await(
        () -> {
          found[0] = LISTENING.matcher(err() + "\n");
          return found[0].find();
        });
    return Integer.parseInt(found[0].group(1));
  }

  String address() throws Exception {
    return "127.0.0.1:" + port();
  }

  /** Waits until the condition holds while the process runs. */
  void await(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!condition.getAsBoolean()) {
      boolean over = process.waitFor(10, TimeUnit.MILLISECONDS);
      assertThat(over && !condition.getAsBoolean()).as("ended too early: %s", err()).isFalse();
      assertThat(System.nanoTime()).as("waited too long: %s", err()).isLessThan(deadline);
    }
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("ended: %s", err()).isTrue();
    return process.exitValue();
  }

  /** Waits for its end, but no longer than this; true when it has ended. */
  boolean endsWithin(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** Sends it a signal by name, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /** As Ctrl-C does, unless whoever runs the tests has Ctrl-C ignored, which children inherit. */
  void interrupt() throws IOException, InterruptedException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .findFirst()
            .orElse("SigIgn: 0")
            .replaceFirst("SigIgn:\\s*", "");
    boolean intIgnored = (Long.parseUnsignedLong(ignored.strip(), 16) & 2) != 0;
    signal(intIgnored ? "TERM" : "INT");
  }

  /** Ends it at once, as kill -9 does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  String out() {
    return read(out);
  }

  byte[] outBytes() throws IOException {
    return Files.readAllBytes(out);
  }

  String err() {
    return read(err);
  }

  /** Its only line on standard error; more than one fails the test. */
  String errLine() {
    String text = err();
    assertThat(text.lines().toList()).hasSize(1);
    return text.strip();
  }

  /** Its last line on standard error; lines of progress may stand before it, one every 10 s. */
  String lastErrLine() {
    return err().lines().reduce("", (before, line) -> line);
  }

  /** The JSON on standard output. */
  Map<String, Object> json() throws IOException {
    return JSON.std.mapFrom(out());
  }

  @SuppressWarnings("unchecked")
  long figure(String name) throws IOException {
    return ((Number) ((Map<String, Object>) json().get("figures")).get(name)).longValue();
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
