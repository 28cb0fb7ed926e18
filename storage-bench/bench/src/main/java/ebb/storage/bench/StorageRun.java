package ebb.storage.bench;

import ebb.core.attempts.Attempts;
import ebb.core.attempts.FailureKind;
import ebb.core.result.ResultRecord;
import ebb.storage.bench.RunPlan.Item;
import ebb.storage.client.Account;
import ebb.storage.port.StoragePort;
import ebb.storage.port.StoragePort.CreateContainer;
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
 * cancelled or something failed. It owns the order; who measures is a {@link Measurer}, what
 * removes is {@link Removal}, and threads are {@link BenchSystem}'s.
 */
public final class StorageRun {
  private static final String CLOSED =
      "closed: the next operation begins when the one before has ended, so a stall delays it"
          + " instead of counting against it (coordinated omission)";
  private static final String OPEN =
      "open: operations are planned at a rate, and latencies count from the planned times, so a"
          + " stall counts against all that it held up";

  private final RunPlan plan;
  private final BenchSystem system;
  private final Measurer measurer;

  /** Of everything that it makes. */
  private final Map<String, String> labels;

  private final Consumer<String> lines;
  private final String cleaning;
  private final Removal removal;
  private final List<Measurement> measurements = new ArrayList<>();
  private long roomBytes = Long.MAX_VALUE;

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
    removal = new Removal(plan, system);
    labels = RunPlan.labels(plan.runId(), Instant.now().getEpochSecond());
  }

  /** Bounds what sizes may grow to that the run chooses, by what the store has room for. */
  public void within(long bytes) {
    roomBytes = bytes;
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
    removal.add(name, result);
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

  private void measure() throws InterruptedException {
    lines.accept(Measurement.HEADER);
    for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
      for (Item planned : plan.items()) {
        Item item = Overlap.fitted(plan, planned, measurements, roomBytes);
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
            removal.objects(prefix);
          }
        } else if (item.objectBytes() > 0) {
          removal.objects(plan.larger());
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

  /** Asks the store what is left, rather than remembering: answers may have been lost. */
  private void cleanUp(boolean made) throws InterruptedException {
    boolean there = made || (!plan.makeContainer() && failure == null);
    if (!there && measurements.isEmpty()) {
      return;
    }
    String left = removal.all(made);
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
    removal.steps().forEach(row -> into.row(with(everyRow, row)));
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
