package ebb.interop;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A peer's program while it runs: its events, and its standard error in a file. */
final class PeerProcess implements AutoCloseable {
  private static final Map<String, Object> END = Map.of("event", "end of output");
  private static final long EXIT_SECONDS = 10;

  private final Process process;
  private final LinkedBlockingQueue<Map<String, Object>> events = new LinkedBlockingQueue<>();
  private final List<String> seen = new ArrayList<>();

  private volatile boolean failed;

  private PeerProcess(Process process) {
    this.process = process;
  }

  static PeerProcess start(List<String> command, Path errors) throws IOException {
    Files.createDirectories(errors.toAbsolutePath().getParent());
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    PeerProcess peer = new PeerProcess(process);
    Thread reader = new Thread(peer::readEvents, "peer-output");
    reader.setDaemon(true);
    reader.start();
    return peer;
  }

  private void readEvents() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("{")) {
          Map<String, Object> event = JSON.std.mapFrom(line);
          events.add(event);
          failed |= "done".equals(event.get("event")) && !ended(event);
        }
      }
    } catch (IOException e) {
      events.add(Map.of("event", "error", "message", "not a line of JSON: " + e.getMessage()));
    } finally {
      events.add(END);
    }
  }

  /**
   * Waits for an event, passing over others.
   *
   * @return null when the peer ended, reported an error or took longer; {@link #said} tells
   */
  Map<String, Object> await(String name, long deadlineNanos) throws InterruptedException {
    while (true) {
      Map<String, Object> event =
          events.poll(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
      if (event == null) {
        return null;
      }
      seen.add(event.toString());
      if (name.equals(event.get("event"))) {
        return event;
      }
      if (event == END) {
        return null;
      }
    }
  }

  /** Whether a last report says that the connection ended in order. */
  static boolean ended(Map<String, Object> done) {
    return List.of("eof", "closed").contains(String.valueOf(done.get("end")));
  }

  /** Whether its program has ended. */
  boolean hasExited() {
    return !process.isAlive();
  }

  /** Whether it has given up. */
  boolean hasFailed() {
    return failed;
  }

  /** What it reported so far, for the report of a failure. */
  String said() {
    for (Map<String, Object> event = events.poll(); event != null; event = events.poll()) {
      seen.add(event.toString());
    }
    return seen.isEmpty() ? "nothing" : String.join(" ", seen);
  }

  /** Lets it end by itself, and ends it if it does not. */
  @Override
  public void close() {
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  void kill() {
    process.destroyForcibly();
  }
}
