package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.storage.port.ObjectEntry;
import ebb.storage.store.ContainerEntry;
import ebb.storage.store.ObjectStore;
import ebb.storage.store.StoreCall;
import java.io.IOException;
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
  public static List<Leftover> containers(ObjectStore store)
      throws RequestFailedException, IOException {
    List<Leftover> found = new ArrayList<>();
    for (ContainerEntry entry : store.containers(RunPlan.MARK, call())) {
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
              store.list(entry.name(), "", call()),
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
  public static List<Leftover> objects(ObjectStore store, String container)
      throws RequestFailedException, IOException {
    Map<String, List<ObjectEntry>> runs = new TreeMap<>();
    for (ObjectEntry entry : store.list(container, RunPlan.MARK, call())) {
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
  public static void remove(ObjectStore store, Leftover leftover)
      throws RequestFailedException, IOException {
    for (ObjectEntry object : leftover.objects()) {
      try {
        store.delete(leftover.container(), object.name(), call());
      } catch (RequestFailedException e) {
        if (e.kind() != FailureKind.NOT_FOUND) {
          throw e;
        }
      }
    }
    if (leftover.whole()) {
      try {
        store.deleteContainer(leftover.container(), call());
      } catch (RequestFailedException e) {
        if (e.kind() != FailureKind.NOT_FOUND) {
          throw e;
        }
      }
    }
  }

  private static StoreCall call() {
    return new StoreCall(() -> false, bytes -> {});
  }
}
