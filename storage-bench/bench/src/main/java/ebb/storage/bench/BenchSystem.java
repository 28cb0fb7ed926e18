package ebb.storage.bench;

import ebb.core.attempts.RetryPolicy;
import ebb.core.kompics.KompicsSystem;
import ebb.core.kompics.KompicsSystem.Components;
import ebb.storage.bench.BenchPort.CancelPhase;
import ebb.storage.bench.BenchPort.PhaseDone;
import ebb.storage.bench.BenchPort.PhaseProgress;
import ebb.storage.bench.BenchPort.RunPhase;
import ebb.storage.client.Account;
import ebb.storage.client.StorageClient;
import ebb.storage.port.StoragePort;
import ebb.storage.store.ObjectStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Component;
import se.sics.kompics.Init;
import se.sics.kompics.KompicsEvent;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/**
 * A store's client, the bench and a timer in a {@link KompicsSystem}, for a thread that wants to
 * wait for phases. There is one such system in a process at a time.
 */
public final class BenchSystem implements AutoCloseable {
  private final KompicsSystem<Consumer<KompicsEvent>> system;
  private final Account account;
  private boolean cancelled;
  private @Nullable CompletableFuture<PhaseResult> waiting;

  private BenchSystem(StorageClient.Init client, Consumer<PhaseProgress> progress)
      throws InterruptedException {
    account = client.account;
    system =
        KompicsSystem.start(
            components -> assemble(components, client, progress, this::answered), this::broken);
  }

  /**
   * Starts the system, which owns the store from now on.
   *
   * @param threads operations that can run at the same time
   * @param progress hears how a phase goes on, a few times a second
   */
  public static BenchSystem start(
      ObjectStore store, int threads, RetryPolicy policy, Consumer<PhaseProgress> progress)
      throws InterruptedException {
    return new BenchSystem(new StorageClient.Init(store, threads, policy), progress);
  }

  private static Consumer<KompicsEvent> assemble(
      Components components,
      StorageClient.Init init,
      Consumer<PhaseProgress> progress,
      Consumer<PhaseResult> answered) {
    Component client = components.create(StorageClient.class, init);
    Component timer = components.create(JavaTimer.class, Init.NONE);
    Component bench = components.create(StorageBench.class, Init.NONE);
    components.connect(client, StoragePort.class, bench);
    components.connect(timer, Timer.class, bench);
    components.on(bench, BenchPort.class, PhaseDone.class, done -> answered.accept(done.result()));
    components.on(bench, BenchPort.class, PhaseProgress.class, progress);
    return components.into(bench, BenchPort.class);
  }

  /** Runs a phase to its end; when everything has been cancelled, only a persistent one. */
  public PhaseResult run(Phase phase) throws InterruptedException {
    CompletableFuture<PhaseResult> answer = new CompletableFuture<>();
    synchronized (this) {
      if (cancelled && !phase.persistent()) {
        return new PhaseResult(true, List.of(), List.of(), List.of(), List.of());
      }
      waiting = answer;
      system.handle().accept(new RunPhase(phase));
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a component broke: " + e.getCause(), e.getCause());
    }
  }

  /** All that the store has been asked for so far. */
  public Account account() {
    return account;
  }

  /** Ends what runs and refuses what comes, but for cleaning up. */
  public synchronized void cancel() {
    cancelled = true;
    system.handle().accept(new CancelPhase());
  }

  public synchronized boolean isCancelled() {
    return cancelled;
  }

  private synchronized void answered(PhaseResult result) {
    if (waiting != null) {
      waiting.complete(result);
    }
  }

  private synchronized void broken(Throwable cause) {
    if (waiting != null) {
      waiting.completeExceptionally(cause);
    }
  }

  /** Stops all components, which closes the store; gives up waiting after 5 s. */
  @Override
  public void close() {
    system.close();
  }
}
