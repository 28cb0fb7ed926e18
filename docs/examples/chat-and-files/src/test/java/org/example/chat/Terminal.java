package org.example.chat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The program in a process of its own, and what it prints. */
final class Terminal implements AutoCloseable {
  private static final long WAIT_SECONDS = 60;

  final Path directory;
  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> passedOver = new ArrayList<>();

  /**
   * Starts it.
   *
   * @param prefix what goes before the command, for a namespace of the network
   * @param directory where it is started; made if there is none
   */
  Terminal(List<String> prefix, Path directory, String... args) throws IOException {
    this.directory = Files.createDirectories(directory);
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    Thread reader = new Thread(this::readLines);
    reader.setDaemon(true);
    reader.start();
  }

  private void readLines() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        // Java 24 and newer warn of Netty's memory, and leave a line empty.
        if (!line.isEmpty() && !line.startsWith("WARNING: ")) {
          lines.add(line);
        }
      }
    } catch (IOException ended) {
      lines.add("(" + ended.getMessage() + ")");
    }
  }

  /** Types a line. */
  void type(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** The rest of the next line that begins so; others are kept for later calls. */
  String next(String beginning) throws InterruptedException {
    for (Iterator<String> it = passedOver.iterator(); it.hasNext(); ) {
      String line = it.next();
      if (line.startsWith(beginning)) {
        it.remove();
        return line.substring(beginning.length());
      }
    }
    while (true) {
      String line = lines.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        throw new AssertionError("no \"" + beginning + "\" but " + passedOver);
      }
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
      passedOver.add(line);
    }
  }

  /** Ends its input and waits; returns its exit code. */
  int end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + passedOver);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
