package ebb.storage.bench;

import ebb.core.kompics.PunctualComponent;
import ebb.storage.bench.BenchPort.CancelPhase;
import ebb.storage.bench.BenchPort.PhaseDone;
import ebb.storage.bench.BenchPort.PhaseProgress;
import ebb.storage.bench.BenchPort.RunPhase;
import ebb.storage.client.RetryPolicy;
import ebb.storage.client.StorageClient;
import ebb.storage.port.StoragePort;
import ebb.storage.store.ObjectStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.Channel;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;
import se.sics.kompics.timer.Timer;
import se.sics.kompics.timer.java.JavaTimer;

/**
 * A Kompics system with a store's client, the bench and a timer, for a thread that wants to wait
 * for phases. There is one such system in a process at a time.
 */
public final class BenchSystem implements AutoCloseable {
  private static final int WORKERS = 2;
  private static final long START_SECONDS = 60;
  private static final long SHUTDOWN_SECONDS = 5;

  private final Root root;
  private final Object order = new Object();
  private boolean cancelled;
  private @Nullable CompletableFuture<PhaseResult> waiting;

  private BenchSystem(Root root) {
    this.root = root;
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
    CompletableFuture<Root> started = new CompletableFuture<>();
    Kompics.createAndStart(
        Root.class,
        new RootInit(new StorageClient.Init(store, threads, policy), progress, started),
        WORKERS);
    try {
      Root root = started.get(START_SECONDS, TimeUnit.SECONDS);
      BenchSystem system = new BenchSystem(root);
      root.user = system;
      return system;
    } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException("the components did not start", e);
    }
  }

  /** Runs a phase to its end; when everything has been cancelled, only a persistent one. */
  public PhaseResult run(Phase phase) throws InterruptedException {
    CompletableFuture<PhaseResult> answer = new CompletableFuture<>();
    synchronized (order) {
      if (cancelled && !phase.persistent()) {
        return new PhaseResult(true, List.of(), List.of(), List.of(), List.of());
      }
      waiting = answer;
      root.ask(new RunPhase(phase));
    }
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a component broke: " + e.getCause(), e.getCause());
    }
  }

  /** Ends what runs and refuses what comes, but for cleaning up. */
  public void cancel() {
    synchronized (order) {
      cancelled = true;
      root.ask(new CancelPhase());
    }
  }

  public boolean isCancelled() {
    synchronized (order) {
      return cancelled;
    }
  }

  private void answered(PhaseResult result) {
    CompletableFuture<PhaseResult> answer;
    synchronized (order) {
      answer = waiting;
    }
    if (answer != null) {
      answer.complete(result);
    }
  }

  private void broken(Throwable cause) {
    CompletableFuture<PhaseResult> answer;
    synchronized (order) {
      answer = waiting;
    }
    if (answer != null) {
      answer.completeExceptionally(cause);
    }
  }

  /** Stops all components, which closes the store; gives up waiting after 5 s. */
  @Override
  public void close() {
    Thread stopper = new Thread(Kompics::shutdown, "ebb-stop");
    stopper.setDaemon(true);
    stopper.start();
    try {
      TimeUnit.SECONDS.timedJoin(stopper, SHUTDOWN_SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** The components and the channels between them. */
  public static final class Root extends ComponentDefinition {
    private final Component bench;
    private final Positive<BenchPort> port;
    private volatile @Nullable BenchSystem user;

    public Root(RootInit init) {
      super(PunctualComponent.class);
      Component client = create(StorageClient.class, init.client);
      Component timer = create(JavaTimer.class, se.sics.kompics.Init.NONE);
      bench = create(StorageBench.class, se.sics.kompics.Init.NONE);
      connect(
          client.getPositive(StoragePort.class),
          bench.getNegative(StoragePort.class),
          Channel.TWO_WAY);
      connect(timer.getPositive(Timer.class), bench.getNegative(Timer.class), Channel.TWO_WAY);
      port = bench.getPositive(BenchPort.class);
      subscribe(
          new Handler<>(PhaseDone.class) {
            @Override
            public void handle(PhaseDone done) {
              BenchSystem system = user;
              if (system != null) {
                system.answered(done.result());
              }
            }
          },
          port);
      subscribe(
          new Handler<>(PhaseProgress.class) {
            @Override
            public void handle(PhaseProgress progress) {
              init.progress.accept(progress);
            }
          },
          port);
      subscribe(
          new Handler<>(Start.class) {
            @Override
            public void handle(Start start) {
              init.started.complete(Root.this);
            }
          },
          control);
    }

    private void ask(se.sics.kompics.KompicsEvent request) {
      trigger(request, port);
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      BenchSystem system = user;
      if (system != null) {
        system.broken(fault.getCause());
      }
      return Fault.ResolveAction.DESTROY;
    }
  }

  /** What {@link Root} needs to know. */
  public static final class RootInit extends se.sics.kompics.Init<Root> {
    private final StorageClient.Init client;
    private final Consumer<PhaseProgress> progress;
    private final CompletableFuture<Root> started;

    RootInit(
        StorageClient.Init client,
        Consumer<PhaseProgress> progress,
        CompletableFuture<Root> started) {
      this.client = client;
      this.progress = progress;
      this.started = started;
    }
  }
}
