package ebb.storage.gcs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A fake-gcs-server of its own on a loopback port, with objects in its memory (below a directory it
 * takes '../' in a name for a way out); the program is looked for in PATH, GOBIN and Go's usual
 * place.
 */
public final class FakeGcsServer implements AutoCloseable {
  private static final String PROGRAM = "fake-gcs-server";
  private static final long BOUND_SECONDS = 60;

  private final Process process;
  private final int port;

  private FakeGcsServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one that logs into a directory; skips the test with a line that says so where there is
   * no such program.
   */
  public static FakeGcsServer start(Path directory) throws Exception {
    Optional<Path> program = find();
    if (program.isEmpty()) {
      System.out.println(
          "skipped: fake-gcs-server because it is not installed"
              + " (go install github.com/fsouza/fake-gcs-server@v1.56.1)");
    }
    assumeTrue(program.isPresent(), "no fake-gcs-server");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                program.get().toString(),
                "-scheme",
                "http",
                "-host",
                "127.0.0.1",
                "-port",
                Integer.toString(port),
                "-backend",
                "memory",
                "-external-url",
                "http://127.0.0.1:" + port,
                "-log-level",
                "error")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(directory.resolve("fake-gcs.log").toFile())
            .start();
    FakeGcsServer server = new FakeGcsServer(process, port);
    server.awaitListening();
    return server;
  }

  private static Optional<Path> find() {
    List<Path> places = new ArrayList<>();
    for (String part : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      places.add(Path.of(part));
    }
    String gobin = System.getenv("GOBIN");
    if (gobin != null) {
      places.add(Path.of(gobin));
    }
    places.add(Path.of(System.getProperty("user.home"), "go", "bin"));
    return places.stream().map(at -> at.resolve(PROGRAM)).filter(Files::isExecutable).findFirst();
  }

  private void awaitListening() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (System.nanoTime() < end) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
        return;
      } catch (IOException notYet) {
        if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
          throw new IOException("fake-gcs-server ended: " + process.exitValue(), notYet);
        }
      }
    }
    process.destroyForcibly();
    throw new IOException("fake-gcs-server does not listen");
  }

  /** Where it is, such as {@code http://127.0.0.1:40123}. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
