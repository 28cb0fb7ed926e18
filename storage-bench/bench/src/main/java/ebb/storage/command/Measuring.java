package ebb.storage.command;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import ebb.core.cli.Output;
import ebb.core.cli.Progress;
import ebb.core.cli.TerminalText;
import ebb.core.result.ResultRecord;
import ebb.core.units.Human;
import ebb.storage.bench.BenchPort.PhaseProgress;
import ebb.storage.bench.BenchSystem;
import ebb.storage.bench.RunPlan;
import ebb.storage.bench.StorageRun;
import ebb.storage.clients.ClientGroup;
import ebb.storage.clients.ClientHosts;
import ebb.storage.store.OpenStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run from the store's opening to its record, also when it is interrupted. */
final class Measuring {
  private static final long STOP_MILLIS = 40_000;

  private final StoreOptions stores;
  private final Output output;
  private final Progress progress;
  private final @Nullable ClientHosts hosts;
  private final String version;

  /** Progress comes from Kompics' threads, lines from the command's. */
  private final Object screen = new Object();

  private @Nullable BenchSystem running;
  private @Nullable ClientGroup clients;
  private boolean stopped;

  /**
   * Runs.
   *
   * @param hosts whose clients measure; null for this process
   * @param version of Ebb that they must have
   */
  Measuring(StoreOptions stores, Output output, @Nullable ClientHosts hosts, String version) {
    this.hosts = hosts;
    this.version = version;
    this.stores = stores;
    this.output = output;
    progress = Progress.standard(output);
  }

  /** What a run came to. */
  record Found(ResultRecord record, ExitCode code, boolean interrupted) {}

  /** What to do with the record; also called, once, when the run was interrupted. */
  interface Shown {
    void show(Found found);
  }

  /**
   * Runs a plan.
   *
   * @param said what all rows say, such as the region
   */
  @SuppressWarnings("try") // the registration is there to be closed
  Found run(String command, RunPlan plan, Map<String, String> said, Shown shown)
      throws InterruptedException {
    Map<String, String> everyRow = new LinkedHashMap<>(said);
    if (stores.variant != null) {
      everyRow.put("variant", stores.variant);
    }
    ResultRecord.Builder result = ResultRecord.of(command);
    // The command's own thread cleans up, closes the store and shows what there is.
    try (Interrupts.Registration interrupts =
            Interrupts.untilClosed(STOP_MILLIS, ExitCode.INCOMPLETE, this::stop);
        OpenStore store = stores.open(plan.threads())) {
      checkRoom(plan, store);
      facts(store, result, everyRow);
      Found found;
      try (BenchSystem system =
          BenchSystem.start(store.store(), plan.threads(), stores.policy(), this::show)) {
        begin(system);
        ClientHosts together = hosts;
        found =
            together == null
                ? measure(plan, store, system, result, everyRow, null)
                : measureBy(together, plan, store, system, result, everyRow);
      }
      shown.show(found);
      return found;
    }
  }

  /** Before the disk is full of it. */
  private void checkRoom(RunPlan plan, OpenStore store) {
    double room = store.roomBytes();
    double needed = plan.bytesAtOnce() * (hosts == null ? 1 : hosts.count());
    if (needed > room) {
      store.store().close();
      throw new EbbException(
          ExitCode.REFUSED_OR_BUSY,
          "the run needs "
              + Human.bytes(needed)
              + " at a time, and there are "
              + Human.bytes(room)
              + " at "
              + store.where()
              + " (choose --size)");
    }
  }

  private synchronized void begin(BenchSystem system) {
    running = system;
    if (stopped) {
      system.cancel();
    }
  }

  private synchronized void stop() {
    stopped = true;
    if (running != null) {
      running.cancel();
    }
    if (clients != null) {
      clients.cancel();
    }
  }

  private synchronized void begin(ClientGroup group) {
    clients = group;
    if (stopped) {
      group.cancel();
    }
  }

  /** The same by clients. */
  private Found measureBy(
      ClientHosts together,
      RunPlan plan,
      OpenStore store,
      BenchSystem system,
      ResultRecord.Builder result,
      Map<String, String> everyRow)
      throws InterruptedException {
    try (ClientGroup group = stores.clients(plan, store, this::show)) {
      begin(group);
      int count = together.count();
      output.note("ebb: starting " + (count == 1 ? "a client" : count + " clients"));
      group.start(together, version);
      group.clocks().forEach(line -> output.note("ebb: " + TerminalText.printable(line)));
      return measure(plan, store, system, result, everyRow, group);
    } catch (RequestFailedException e) {
      if (e.kind() == FailureKind.CANCELLED) {
        output.note("ebb: interrupted before all clients were there");
      }
      throw new EbbException(StoreOptions.exitCode(e.kind()), e.line(), e);
    }
  }

  private Found measure(
      RunPlan plan,
      OpenStore store,
      BenchSystem system,
      ResultRecord.Builder result,
      Map<String, String> everyRow,
      @Nullable ClientGroup group)
      throws InterruptedException {
    StorageRun run =
        group == null
            ? new StorageRun(plan, system, this::line, stores.cleaning())
            : new StorageRun(plan, system, this::line, stores.cleaning(), group);
    run.within(store.roomBytes());
    run.run();
    synchronized (screen) {
      progress.clear();
    }
    StorageRun.Failure failure = run.failure();
    ExitCode code;
    if (system.isCancelled()) {
      code = ExitCode.INCOMPLETE;
      output.note("ebb: interrupted; the result is incomplete");
    } else if (failure != null) {
      boolean some = run.hasMeasured() || run.hasLeftSomething();
      code = some ? ExitCode.INCOMPLETE : StoreOptions.exitCode(failure.kind());
      output.note("ebb: " + TerminalText.printable(failure.message()));
      result.fact("failure", failure.message());
    } else {
      code = run.isComplete() ? ExitCode.DONE : ExitCode.INCOMPLETE;
      String failed = run.failedOperations();
      if (!failed.isEmpty()) {
        output.note("ebb: " + TerminalText.printable(failed));
        result.fact("failure", failed);
      }
    }
    run.record(result, everyRow);
    return new Found(result.build(run.isComplete(), code.value()), code, system.isCancelled());
  }

  private void facts(OpenStore store, ResultRecord.Builder result, Map<String, String> everyRow) {
    result.fact("target", stores.target().text());
    result.fact("store", store.store().describe());
    store.facts().forEach(result::fact);
    result.fact("retries", stores.retries);
    everyRow.forEach(result::fact);
    for (String caution : store.cautions()) {
      result.warning(caution);
      output.note("ebb: note: " + TerminalText.printable(caution));
    }
  }

  private void show(PhaseProgress phase) {
    show(
        phase.name() + ": " + phase.operations() + " done, " + Human.bytes((double) phase.bytes()));
  }

  private void show(String text) {
    synchronized (screen) {
      progress.update(() -> text);
    }
  }

  private void line(String line) {
    synchronized (screen) {
      progress.clear();
      output.line(TerminalText.printable(line));
    }
  }
}
