package ebb.storage.bench;

import ebb.core.attempts.FailureKind;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.ListObjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Removes what a run has made, also when everything else is cancelled, and keeps a row for each
 * step that is no measurement. When and whether is {@link StorageRun}'s.
 */
final class Removal {
  /** Tries to remove a container that is not empty yet. */
  private static final int REMOVALS = 3;

  private final RunPlan plan;
  private final BenchSystem system;
  private final List<Map<String, @Nullable Object>> steps = new ArrayList<>();

  Removal(RunPlan plan, BenchSystem system) {
    this.plan = plan;
    this.system = system;
  }

  /** A row for each step so far. */
  List<Map<String, @Nullable Object>> steps() {
    return steps;
  }

  /** Adds a step. */
  void add(String name, PhaseResult result) {
    LaneResult sum = result.sum();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("case", name);
    row.put("scope", "step");
    row.put("operations", sum.operations());
    row.put("failures", sum.failures());
    row.put("retries", sum.retries());
    row.put("backoff_micros", sum.backoffMicros());
    row.put("latency_mean_micros", sum.latencies().meanMicros());
    row.put("latency_p50_micros", sum.latencies().percentileMicros(50));
    row.put("latency_p99_micros", sum.latencies().percentileMicros(99));
    row.put("complete", !result.cancelled());
    steps.add(row);
  }

  /** What could not be removed, as somebody reads it; null when nothing is left. */
  @Nullable String objects(String prefix) throws InterruptedException {
    ListObjects list = new ListObjects(StoragePort.newId(), plan.container(), prefix);
    PhaseResult listed =
        system.run(
            new Phase(
                "listing",
                List.of(new Phase.Lane(0, 0, List.<StoragePort.Request>of(list).iterator())),
                0,
                0,
                false,
                true));
    List<String> names = listed.entries().stream().map(ObjectEntry::name).toList();
    if (isFailure(listed)) {
      return "objects below '" + prefix + "': " + listed.sum().message();
    }
    if (names.isEmpty()) {
      return null;
    }
    PhaseResult deleted = system.run(Workload.deletion(plan.container(), names));
    add("delete", deleted);
    return isFailure(deleted)
        ? "up to "
            + deleted.sum().failures()
            + " objects below '"
            + prefix
            + "': "
            + deleted.sum().message()
        : null;
  }

  /** What is gone already has not failed to be removed. */
  private static boolean isFailure(PhaseResult removal) {
    FailureKind kind = removal.sum().failure();
    return kind != null && kind != FailureKind.NOT_FOUND;
  }

  /**
   * All objects of the run, and its container if it has made one.
   *
   * @return what could not be removed; null when nothing is left
   */
  @Nullable String all(boolean made) throws InterruptedException {
    String left = objects(plan.prefix());
    for (int again = 0; made && again < REMOVALS; again++) {
      DeleteContainer delete = new DeleteContainer(StoragePort.newId(), plan.container());
      PhaseResult deleted =
          system.run(
              new Phase(
                  "removing the container",
                  List.of(new Phase.Lane(0, 0, List.<StoragePort.Request>of(delete).iterator())),
                  0,
                  0,
                  false,
                  true));
      add("delete_container", deleted);
      if (!isFailure(deleted)) {
        left = null;
        break;
      }
      left = left == null ? deleted.sum().message() : left;
      if (deleted.sum().failure() != FailureKind.NOT_EMPTY) {
        break;
      }
      // Somebody who was cut off has written something since.
      String still = objects(plan.prefix());
      left = still == null ? left : still;
    }
    return left;
  }
}
