package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.demo.DemoServer;
import ebb.storage.demo.Fault;
import ebb.storage.demo.Shape;
import ebb.storage.gcs.GcsOptions;
import ebb.storage.gcs.GcsStore;
import ebb.storage.store.DirectoryStore;
import ebb.storage.store.MemoryStore;
import ebb.storage.store.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store for a target, with the demo endpoint if that was asked for; closes what it opened. */
public final class OpenStore implements AutoCloseable {
  /** The word for the endpoint in this process. */
  public static final String DEMO = "demo";

  private final ObjectStore store;
  private final @Nullable DemoServer demo;
  private final @Nullable Path directory;

  private OpenStore(ObjectStore store, @Nullable DemoServer demo, @Nullable Path directory) {
    this.store = store;
    this.demo = demo;
    this.directory = directory;
  }

  /**
   * What is to be opened.
   *
   * @param endpoint of Cloud Storage: {@link #DEMO}, a URL, or null for Google's own
   * @param project and location of new buckets; null for the defaults
   * @param requestAttempts of each request inside an operation
   * @param fsync whether a directory's objects are synced
   */
  public record Options(
      @Nullable String endpoint,
      @Nullable String project,
      @Nullable String location,
      int parallel,
      int requestAttempts,
      boolean fsync,
      Shape demoShape,
      List<Fault> demoFaults) {
    public Options {
      demoFaults = List.copyOf(demoFaults);
    }
  }

  /**
   * Opens a store.
   *
   * @throws RequestFailedException when that cannot be
   */
  public static OpenStore open(Target target, Options options) throws RequestFailedException {
    return switch (target.kind()) {
      case MEMORY -> new OpenStore(MemoryStore.ofHalfTheHeap(), null, null);
      case DIRECTORY ->
          new OpenStore(
              new DirectoryStore(
                  Path.of(target.name()),
                  options.fsync() ? DirectoryStore.Sync.EACH_OBJECT : DirectoryStore.Sync.NONE),
              null,
              Path.of(target.name()));
      case GCS -> cloud(options);
    };
  }

  private static OpenStore cloud(Options options) throws RequestFailedException {
    if (!DEMO.equals(options.endpoint())) {
      String endpoint = options.endpoint();
      return new OpenStore(
          new GcsStore(gcsOptions(endpoint == null ? null : checked(endpoint), options)),
          null,
          null);
    }
    DemoServer demo;
    try {
      demo = DemoServer.start(options.demoShape());
    } catch (IOException e) {
      throw new RequestFailedException(
          FailureKind.INTERNAL, "the demo endpoint did not start: " + OneLine.of(e), e);
    }
    options.demoFaults().forEach(demo.faults()::add);
    boolean kept = false;
    try {
      OpenStore open = new OpenStore(new GcsStore(gcsOptions(demo.url(), options)), demo, null);
      kept = true;
      return open;
    } finally {
      if (!kept) {
        demo.close();
      }
    }
  }

  private static GcsOptions gcsOptions(@Nullable String endpoint, Options options) {
    GcsOptions standard = GcsOptions.standard(endpoint, options.project());
    long backoffMillis = endpoint == null ? standard.firstBackoffMillis() : 200;
    String location = options.location();
    return (location == null ? standard : standard.withLocation(location))
        .withChunkBytes(GcsOptions.chunkFor(options.parallel(), Runtime.getRuntime().maxMemory()))
        .withRetries(options.requestAttempts(), backoffMillis);
  }

  /** The URL without a slash at its end. */
  private static String checked(String endpoint) throws RequestFailedException {
    try {
      URI uri = URI.create(endpoint);
      String path = uri.getPath();
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && (path == null || path.isEmpty() || path.equals("/"))) {
        return endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
      }
    } catch (IllegalArgumentException e) {
      throw noEndpoint(endpoint, e);
    }
    throw noEndpoint(endpoint, null);
  }

  private static RequestFailedException noEndpoint(String endpoint, @Nullable Exception cause) {
    return new RequestFailedException(
        FailureKind.INVALID,
        "no endpoint '" + endpoint + "': give 'demo' or a URL such as http://127.0.0.1:4443",
        cause);
  }

  public ObjectStore store() {
    return store;
  }

  /** Whether the service is in this process. */
  public boolean isDemo() {
    return demo != null;
  }

  /** Bytes that surely do not fit beyond; as good as none when nobody says. */
  public long roomBytes() {
    if (demo != null) {
      return demo.roomBytes();
    }
    return directory == null ? Long.MAX_VALUE : usable(directory);
  }

  private static long usable(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Buckets that the demo endpoint holds. */
  int demoBuckets() {
    return demo == null ? 0 : demo.bucketCount();
  }

  /** Stops the demo endpoint; the store is closed by whom it was given to. */
  @Override
  public void close() {
    if (demo != null) {
      demo.close();
    }
  }
}
