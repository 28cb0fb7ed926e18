package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.Outcome;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.client.OperationRunner;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.Delete;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.Done;
import ebb.storage.port.StoragePort.ListObjects;
import ebb.storage.port.StoragePort.Request;
import ebb.storage.store.ContainerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What runs of Ebb have left in a store, and its removal. Only what carries a run's mark is looked
 * at: containers and objects with the run's label and a name that agrees with it.
 */
public final class Leftovers {
  private static final Pattern NAME = Pattern.compile(RunPlan.MARK + "[a-z0-9]{4,32}");

  private Leftovers() {}

  /**
   * A container that a run made, or, in one that it did not make, the objects of one.
   *
   * @param startedSeconds since 1970; -1 when nothing says it
   * @param how it was recognised
   */
  public record Leftover(
      String container, boolean whole, List<ObjectEntry> objects, long startedSeconds, String how) {
    public Leftover {
      objects = List.copyOf(objects);
    }

    public long bytes() {
      return objects.stream().mapToLong(ObjectEntry::bytes).sum();
    }
  }

  /** Containers that runs have made. */
  public static List<Leftover> containers(OperationRunner store) throws RequestFailedException {
    List<Leftover> found = new ArrayList<>();
    for (ContainerEntry entry : store.containers(RunPlan.MARK)) {
      if (!NAME.matcher(entry.name()).matches()) {
        continue;
      }
      boolean labelled = entry.name().equals(RunPlan.MARK + entry.labels().get(RunPlan.RUN_LABEL));
      if (!labelled && !entry.labels().isEmpty()) {
        continue; // Somebody else's labels.
      }
      found.add(
          new Leftover(
              entry.name(),
              true,
              list(store, entry.name(), ""),
              started(entry.labels()),
              labelled ? "by its label" : "by its name: this store keeps no labels"));
    }
    return found;
  }

  private static long started(Map<String, String> labels) {
    String text = labels.getOrDefault(RunPlan.STARTED_LABEL, "");
    return text.matches("\\d{1,15}") ? Long.parseLong(text) : -1;
  }

  /**
   * Objects of runs in a container that no run has made, run by run. Both the name and the label
   * have to say that it is a run's: a copy under another name is somebody's own.
   */
  public static List<Leftover> objects(OperationRunner store, String container)
      throws RequestFailedException {
    Map<String, List<ObjectEntry>> runs = new TreeMap<>();
    for (ObjectEntry entry : list(store, container, RunPlan.MARK)) {
      String run = entry.labels().getOrDefault(RunPlan.RUN_LABEL, "");
      String mark = RunPlan.MARK + run;
      if (NAME.matcher(mark).matches() && entry.name().startsWith(mark + "/")) {
        runs.computeIfAbsent(run, id -> new ArrayList<>()).add(entry);
      }
    }
    List<Leftover> found = new ArrayList<>();
    for (List<ObjectEntry> ours : runs.values()) {
      long started = started(ours.get(0).labels());
      found.add(new Leftover(container, false, ours, started, "by their label"));
    }
    return found;
  }

  /** Removes one; what is gone already is no failure. */
  public static void remove(OperationRunner store, Leftover leftover)
      throws RequestFailedException {
    for (ObjectEntry object : leftover.objects()) {
      removed(store, new Delete(StoragePort.newId(), leftover.container(), object.name()));
    }
    if (leftover.whole()) {
      removed(store, new DeleteContainer(StoragePort.newId(), leftover.container()));
    }
  }

  private static void removed(OperationRunner store, Request request)
      throws RequestFailedException {
    Outcome outcome = run(store, request).outcome();
    if (outcome.failure() != null && outcome.failure() != FailureKind.NOT_FOUND) {
      throw new RequestFailedException(outcome.failure(), outcome.message());
    }
  }

  private static List<ObjectEntry> list(OperationRunner store, String container, String prefix)
      throws RequestFailedException {
    Done done = run(store, new ListObjects(StoragePort.newId(), container, prefix));
    FailureKind failure = done.outcome().failure();
    if (failure != null) {
      throw new RequestFailedException(failure, done.outcome().message());
    }
    return done.entries();
  }

  private static Done run(OperationRunner store, Request request) {
    return store.run(request, () -> false, bytes -> {});
  }
}
