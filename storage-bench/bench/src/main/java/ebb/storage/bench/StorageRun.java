package ebb.storage.bench;

import ebb.core.attempts.Attempts;
import ebb.core.attempts.FailureKind;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.client.Account;
import ebb.storage.port.ObjectEntry;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.CreateContainer;
import ebb.storage.port.StoragePort.DeleteContainer;
import ebb.storage.port.StoragePort.ListObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries a plan out: sets up, measures, and removes everything that it made, also when it was
 * cancelled or something failed. It owns the order; who measures is a {@link Measurer}, and threads
 * are {@link BenchSystem}'s.
 */
public final class StorageRun {
  private static final String CLOSED =
      "closed: the next operation begins when the one before has ended, so a stall delays it"
          + " instead of counting against it (coordinated omission)";
  private static final String OPEN =
      "open: operations are planned at a rate, and latencies count from the planned times, so a"
          + " stall counts against all that it held up";

  /** Tries to remove a container that is not empty yet. */
  private static final int REMOVALS = 3;

  private final RunPlan plan;
  private final BenchSystem system;
  private final Measurer measurer;

  /** Of everything that it makes. */
  private final Map<String, String> labels;

  private final Consumer<String> lines;
  private final String cleaning;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Map<String, @Nullable Object>> steps = new ArrayList<>();

  /** What stopped the run: the kind and its line. */
  public record Failure(FailureKind kind, String message) {}

  private @Nullable Failure failure;
  private long leftBehind;
  private String leftBehindWords = "";

  /**
   * A run.
   *
   * @param lines hears a line for people for each case
   * @param cleaning the command that removes what the run could not
   */
  public StorageRun(RunPlan plan, BenchSystem system, Consumer<String> lines, String cleaning) {
    this(
        plan,
        system,
        lines,
        cleaning,
        new LocalMeasurer(
            plan, system, RunPlan.labels(plan.runId(), Instant.now().getEpochSecond())));
  }

  /** A run whose cases {@code measurer} measures, while {@code system} sets up and removes. */
  public StorageRun(
      RunPlan plan,
      BenchSystem system,
      Consumer<String> lines,
      String cleaning,
      Measurer measurer) {
    this.cleaning = cleaning;
    this.measurer = measurer;
    this.plan = plan;
    this.system = system;
    this.lines = lines;
    labels = RunPlan.labels(plan.runId(), Instant.now().getEpochSecond());
  }

  /** Runs to the end, leaves nothing behind, and says what the store was asked for. */
  public void run() throws InterruptedException {
    boolean made = false;
    try {
      made = setUp();
      if (failure == null && !system.isCancelled()) {
        measure();
      }
    } finally {
      measurer.end();
      cleanUp(made);
      AccountRows.table(account()).forEach(lines);
    }
  }

  /** Whether a container of ours may be there now. */
  private boolean setUp() throws InterruptedException {
    boolean made = false;
    if (plan.makeContainer()) {
      PhaseResult created =
          step(
              "create_container",
              new CreateContainer(StoragePort.newId(), plan.container(), labels));
      made = mayBeThere(created.sum());
    } else {
      step("list", new ListObjects(StoragePort.newId(), plan.container(), plan.prefix()));
    }
    if (failure == null) {
      check(measurer.prepare());
    }
    return made;
  }

  /** Cancelled or unanswered, it may be there; refused in each attempt it is not. */
  private static boolean mayBeThere(LaneResult created) {
    FailureKind kind = created.failure();
    if (kind == null) {
      return true;
    }
    return switch (kind) {
      case ALREADY_EXISTS, INVALID -> false;
      case CANNOT_CONNECT, NO_CREDENTIALS, NO_PERMISSION -> {
        String cause = Attempts.cause(created.message());
        yield created.troubles().stream().anyMatch(one -> !Attempts.cause(one).equals(cause));
      }
      default -> true;
    };
  }

  private PhaseResult step(String name, StoragePort.Request request) throws InterruptedException {
    PhaseResult result = system.run(Phase.of(name, request));
    check(result);
    steps.add(stepRow(name, result));
    return result;
  }

  private void check(PhaseResult result) {
    if (failure == null) {
      failure = measurer.failure();
    }
    FailureKind kind = result.sum().failure();
    if (kind != null && kind != FailureKind.CANCELLED && failure == null) {
      failure = new Failure(kind, result.sum().message());
    }
  }

  private static Map<String, @Nullable Object> stepRow(String name, PhaseResult result) {
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
    return row;
  }

  private void measure() throws InterruptedException {
    lines.accept(Measurement.HEADER);
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      for (Item item : plan.items()) {
        check(measurer.prepare(item, repetition));
        if (failure != null) {
          return;
        }
        Measurement measurement = measurer.measure(item, repetition);
        PhaseResult result = measurement.result();
        if (system.isCancelled() && result.sum().operations() == 0) {
          return;
        }
        measurements.add(measurement);
        lines.accept(measurement.line());
        measurement.details().forEach(lines);
        if (item.of().leavesObjects()) {
          for (String prefix : measurer.written(repetition)) {
            removeObjects(prefix, "delete");
          }
        }
        failure = measurer.failure();
        if (failure != null) {
          return;
        }
        LaneResult sum = result.sum();
        FailureKind kind = sum.failure();
        // Without credentials nothing else can be asked for.
        boolean none = sum.operations() == 0 && kind != FailureKind.CANCELLED;
        if (kind != null && (none || kind == FailureKind.NO_CREDENTIALS)) {
          failure = new Failure(kind, sum.message());
          return;
        }
        if (system.isCancelled()) {
          return;
        }
      }
    }
  }

  /** What could not be removed, as somebody reads it; null when nothing is left. */
  private @Nullable String removeObjects(String prefix, String step) throws InterruptedException {
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
    steps.add(stepRow(step, deleted));
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

  /** Asks the store what is left, rather than remembering: answers may have been lost. */
  private void cleanUp(boolean made) throws InterruptedException {
    boolean there = made || (!plan.makeContainer() && failure == null);
    if (!there && measurements.isEmpty()) {
      return;
    }
    String left = removeObjects(plan.prefix(), "delete");
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
      steps.add(stepRow("delete_container", deleted));
      if (!isFailure(deleted)) {
        left = null;
        break;
      }
      left = left == null ? deleted.sum().message() : left;
      if (deleted.sum().failure() != FailureKind.NOT_EMPTY) {
        break;
      }
      // Somebody who was cut off has written something since.
      String still = removeObjects(plan.prefix(), "delete");
      left = still == null ? left : still;
    }
    if (left != null) {
      leftBehind = 1;
      leftBehindWords =
          "left behind in '"
              + plan.container()
              + "': "
              + left
              + "; '"
              + cleaning
              + "' removes it, an hour from now or with --older-than 0";
      lines.accept(leftBehindWords);
    }
  }

  /** All that the store was asked for, by whomever. */
  private Account account() {
    Account all = new Account();
    system.account().lines().forEach(all::add);
    measurer.account().forEach(all::add);
    return all;
  }

  /** Whether something of the run is still in the store, or nobody knows. */
  public boolean hasLeftSomething() {
    return leftBehind > 0;
  }

  /** What stopped it; null when nothing did. */
  public @Nullable Failure failure() {
    return failure;
  }

  /** Whether everything that was planned was measured, without a failed operation. */
  public boolean isComplete() {
    return failure == null
        && leftBehind == 0
        && !system.isCancelled()
        && measurements.size() == plan.items().size() * plan.repetitions()
        && failures() == 0;
  }

  public boolean hasMeasured() {
    return measurements.stream().anyMatch(one -> one.result().sum().operations() > 0);
  }

  /** What a reader wants to know of operations that failed while others did not; "" for none. */
  public String failedOperations() {
    for (Measurement measurement : measurements) {
      LaneResult sum = measurement.result().sum();
      if (sum.failures() > 0) {
        return failures()
            + (failures() == 1 ? " operation" : " operations")
            + " failed, the first in "
            + measurement.item().of().name()
            + ": "
            + sum.message();
      }
    }
    return "";
  }

  private long failures() {
    return measurements.stream().mapToLong(one -> one.result().sum().failures()).sum();
  }

  /** Adds what was found to a result. */
  public void record(ResultRecord.Builder into, Map<String, String> everyRow) {
    long retries = 0;
    long backoff = 0;
    long operations = 0;
    long verified = 0;
    Account account = account();
    for (Account.Line line : account.lines()) {
      retries += line.retries();
      backoff += line.backoffMicros();
    }
    for (Measurement measurement : measurements) {
      LaneResult sum = measurement.result().sum();
      operations += sum.operations();
      verified += sum.verified();
      for (Map<String, @Nullable Object> row : measurement.rows()) {
        into.row(with(everyRow, row));
      }
      Discarded discarded = measurement.result().discarded();
      if (discarded != null && discarded.isUnsteady()) {
        into.warning(
            measurement.item().of().name()
                + ", repetition "
                + measurement.repetition()
                + ": warm-up: "
                + discarded.words());
      }
      for (String trouble : sum.troubles()) {
        into.warning(measurement.item().of().name() + ": tried again after: " + trouble);
      }
    }
    steps.forEach(row -> into.row(with(everyRow, row)));
    for (Account.Line line : account.lines()) {
      into.row(with(everyRow, AccountRows.row(line)));
      if (!line.causes().isEmpty()) {
        into.warning(line.operation() + ", measured or not: " + line.troubles());
      }
    }
    if (hasLeftSomething()) {
      into.warning(leftBehindWords);
    }
    into.figure("cases", measurements.size());
    into.figure("operations", operations);
    into.figure("verified_operations", verified);
    into.figure("failures", failures());
    into.figure("retries", retries);
    into.figure("backoff_micros", backoff);
    into.figure("left_behind", leftBehind);
    measurer.facts().forEach(into::fact);
    into.fact("container", plan.container());
    into.fact("run_id", plan.runId());
    into.fact("seed", Long.toString(plan.seed()));
    into.fact("loop", plan.items().stream().anyMatch(Item::isOpen) ? OPEN : CLOSED);
    into.fact(
        "rates",
        "bytes over the time that the store took, or over all time where an operation takes less"
            + " than 20 us; several processes are added up");
  }

  private static Map<String, @Nullable Object> with(
      Map<String, String> everyRow, Map<String, @Nullable Object> row) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(everyRow);
    all.putAll(row);
    return all;
  }
}
