package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.Content;
import ebb.storage.port.FileContent;
import ebb.storage.port.FileSink;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.Sink;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.Get;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Put;
import ebb.storage.store.ObjectStore;
import ebb.vm.port.RunLabels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run's objects in a bucket that is there, all under the run's id, by the clients of
 * storage-bench: what is read is checked by its CRC32C.
 */
final class BucketRunStore implements RunStore {
  /** The object below a run's id that says whose it is. */
  static final String JAR = "ebb.jar";

  private final ObjectStore store;
  private final OperationRunner runner;
  private final String bucket;
  private final RunLabels labels;
  private final String prefix;
  private final RunResources.Shipped places;

  /** A store that closes {@code open} in the end. */
  BucketRunStore(RunStores.OpenBucket open, RunLabels labels) {
    store = open.store();
    bucket = open.container();
    this.labels = labels;
    String runId = labels.runId();
    prefix = runId + "/";
    places = RunStores.inBucket("gs://" + bucket, runId, "");
    runner = new OperationRunner(store, RetryPolicy.of(3));
  }

  @Override
  public String results() {
    return places.results();
  }

  @Override
  public String jar() {
    return places.jar();
  }

  private String object(String key) {
    return prefix + "results/" + key;
  }

  private Done run(StoragePort.Request request) throws IOException {
    Done done = tried(request);
    if (!done.outcome().succeeded()) {
      throw new IOException("bucket " + bucket + ": " + done.outcome().message());
    }
    return done;
  }

  private Done tried(StoragePort.Request request) {
    return runner.run(request, () -> false, bytes -> {});
  }

  @Override
  public void putJar(Path jar) throws IOException {
    try (FileContent content = new FileContent(jar)) {
      run(new Put(StoragePort.newId(), bucket, prefix + JAR, content, true, labels.asMap()));
    }
  }

  @Override
  public void put(String key, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Content content =
        new Content() {
          @Override
          public long length() {
            return bytes.length;
          }

          @Override
          public void read(long offset, ByteBuffer into) {
            into.put(bytes, (int) offset, into.remaining());
          }
        };
    run(new Put(StoragePort.newId(), bucket, object(key), content, true));
  }

  @Override
  public Optional<String> get(String key) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Sink sink =
        new Sink() {
          @Override
          public void begin() {
            bytes.reset();
          }

          @Override
          public void write(ByteBuffer more) {
            byte[] some = new byte[more.remaining()];
            more.get(some);
            bytes.write(some, 0, some.length);
          }
        };
    Done done = tried(new Get(StoragePort.newId(), bucket, object(key), null, sink, null));
    if (done.outcome().failure() == FailureKind.NOT_FOUND) {
      return Optional.empty();
    }
    if (!done.outcome().succeeded()) {
      throw new IOException("bucket " + bucket + ": " + done.outcome().message());
    }
    return Optional.of(bytes.toString(StandardCharsets.UTF_8));
  }

  private List<String> objects(String below) throws IOException {
    return run(new ListObjects(StoragePort.newId(), bucket, below)).entries().stream()
        .map(ObjectEntry::name)
        .toList();
  }

  @Override
  public List<String> keys() throws IOException {
    String below = prefix + "results/";
    List<String> keys = new ArrayList<>();
    objects(below).forEach(name -> keys.add(name.substring(below.length())));
    return keys;
  }

  @Override
  public void copyTo(Path directory) throws IOException {
    for (String key : keys()) {
      Path file = directory.resolve(key).normalize();
      if (!file.startsWith(directory)) {
        continue; // A VM writes what it likes, but not wherever it likes.
      }
      Files.createDirectories(file.getParent());
      run(new Get(StoragePort.newId(), bucket, object(key), null, new FileSink(file), null));
    }
  }

  @Override
  public void remove() throws IOException {
    List<String> names = new ArrayList<>(objects(prefix));
    // Last: as long as it is there, anybody can tell whose the rest is.
    if (names.remove(prefix + JAR)) {
      names.add(prefix + JAR);
    }
    for (String name : names) {
      Done done = tried(new Delete(StoragePort.newId(), bucket, name));
      if (!done.outcome().succeeded() && done.outcome().failure() != FailureKind.NOT_FOUND) {
        throw new IOException("bucket " + bucket + ": " + done.outcome().message());
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
