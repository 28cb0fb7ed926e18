package ebb.vm.bucket;

import com.fasterxml.jackson.jr.ob.JSON;
import ebb.storage.gcs.FakeGcsServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bucket of a fake-gcs-server of its own, which Ebb did not write. */
final class Bucket implements AutoCloseable {
  static final String NAME = "ebb-runs";

  private final HttpClient client = HttpClient.newHttpClient();
  private final FakeGcsServer server;
  private final String url;

  private Bucket(FakeGcsServer server) {
    this.server = server;
    url = server.url();
  }

  /** Starts the server and makes the bucket; skips the test, visibly, where there is none. */
  static Bucket start(Path logs) throws Exception {
    Bucket bucket = new Bucket(FakeGcsServer.start(logs));
    bucket.make();
    return bucket;
  }

  private void make() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/storage/v1/b?project=p"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"" + NAME + "\"}"))
            .build();
    HttpResponse<String> made = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (made.statusCode() != 200) {
      close();
      throw new IllegalStateException("no bucket: " + made.body());
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
    server.close();
  }
}
