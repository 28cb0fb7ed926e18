package ebb.vm.run;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RetryPolicy;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.vm.port.RunLabels;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What runs of anybody have left in a bucket: the objects below the id of a run whose jar carries
 * its labels. Whatever else is there is not touched.
 */
public final class BucketLeftovers implements AutoCloseable {
  private final RunStores.OpenBucket bucket;
  private final OperationRunner runner;

  /**
   * The objects of one run.
   *
   * @param names in the order in which they are to go: the jar, which says whose they are, last
   */
  public record RunObjects(RunLabels labels, List<String> names, long bytes) {
    public RunObjects {
      names = List.copyOf(names);
    }
  }

  BucketLeftovers(RunStores.OpenBucket bucket) {
    this.bucket = bucket;
    runner = new OperationRunner(bucket.store(), RetryPolicy.of(3));
  }

  /**
   * All of them, of one run unless {@code run} is null.
   *
   * @throws IOException with one line when they cannot be listed
   */
  public List<RunObjects> find(@Nullable String run) throws IOException {
    Map<String, List<ObjectEntry>> byRun = new TreeMap<>();
    Done listed =
        tried(
            new ListObjects(StoragePort.newId(), bucket.container(), run == null ? "" : run + "/"));
    for (ObjectEntry entry : listed.entries()) {
      int slash = entry.name().indexOf('/');
      if (slash > 0) {
        byRun.computeIfAbsent(entry.name().substring(0, slash), id -> new ArrayList<>()).add(entry);
      }
    }
    List<RunObjects> found = new ArrayList<>();
    byRun.forEach(
        (id, entries) -> {
          RunObjects objects = objects(id, entries);
          if (objects != null) {
            found.add(objects);
          }
        });
    return found;
  }

  private static @Nullable RunObjects objects(String id, List<ObjectEntry> entries) {
    String jar = id + "/" + BucketRunStore.JAR;
    RunLabels labels = null;
    long bytes = 0;
    List<String> names = new ArrayList<>();
    for (ObjectEntry entry : entries) {
      bytes += entry.bytes();
      if (entry.name().equals(jar)) {
        labels = RunLabels.of(entry.labels()).filter(one -> one.runId().equals(id)).orElse(null);
      } else {
        names.add(entry.name());
      }
    }
    names.add(jar);
    return labels == null ? null : new RunObjects(labels, names, bytes);
  }

  /**
   * Removes them; what has gone in the meantime is gone.
   *
   * @throws IOException with one line when that fails; the jar is there then
   */
  public void remove(RunObjects objects) throws IOException {
    for (String name : objects.names()) {
      tried(new Delete(StoragePort.newId(), bucket.container(), name));
    }
  }

  private Done tried(StoragePort.Request request) throws IOException {
    Done done = runner.run(request, () -> false, bytes -> {});
    if (!done.outcome().succeeded() && done.outcome().failure() != FailureKind.NOT_FOUND) {
      throw new IOException("bucket " + bucket.container() + ": " + done.outcome().message());
    }
    return done;
  }

  @Override
  public void close() {
    bucket.store().close();
  }
}
