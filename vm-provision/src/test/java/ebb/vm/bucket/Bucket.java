package ebb.vm.bucket;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A bucket of a fake-gcs-server of its own, which Ebb did not write. */
final class Bucket implements AutoCloseable {
  static final String NAME = "ebb-runs";

  private static final String PROGRAM = "fake-gcs-server";
  private static final long BOUND_SECONDS = 60;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final String url;

  private Bucket(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Starts the server and makes the bucket; skips the test, visibly, where there is none. */
  static Bucket start(Path logs) throws Exception {
    Optional<Path> program = find();
    if (program.isEmpty()) {
      System.out.println("skipped: runs through a bucket because there is no " + PROGRAM);
    }
    assumeTrue(program.isPresent(), "no " + PROGRAM);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String url = "http://127.0.0.1:" + port;
    List<String> words = new ArrayList<>(List.of(program.get().toString(), "-scheme", "http"));
    words.addAll(List.of("-host", "127.0.0.1", "-port", Integer.toString(port)));
    words.addAll(List.of("-backend", "memory", "-external-url", url, "-log-level", "error"));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(logs.resolve("fake-gcs.log").toFile())
            .start();
    Bucket bucket = new Bucket(process, url);
    bucket.make();
    return bucket;
  }

  private static Optional<Path> find() {
    List<Path> places = new ArrayList<>();
    String path = System.getenv().getOrDefault("PATH", "");
    Arrays.stream(path.split(File.pathSeparator, -1)).map(Path::of).forEach(places::add);
    places.add(Path.of(System.getProperty("user.home"), "go", "bin"));
    return places.stream().map(at -> at.resolve(PROGRAM)).filter(Files::isExecutable).findFirst();
  }

  private void make() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/storage/v1/b?project=p"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"" + NAME + "\"}"))
            .build();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (true) {
      try {
        HttpResponse<String> made = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (made.statusCode() != 200) {
          throw new IllegalStateException("no bucket: " + made.body());
        }
        return;
      } catch (IOException notYet) {
        if (process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
          close();
          throw new IllegalStateException(PROGRAM + " does not listen", notYet);
        }
      }
    }
  }

  /** What STORAGE_EMULATOR_HOST is to be. */
  String url() {
    return url;
  }

  /** Names of all objects. */
  List<String> objects() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/storage/v1/b/" + NAME + "/o")).build();
    String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    List<String> names = new ArrayList<>();
    if (JSON.std.mapFrom(body).get("items") instanceof List<?> items) {
      items.forEach(item -> names.add(String.valueOf(((Map<?, ?>) item).get("name"))));
    }
    return names;
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
