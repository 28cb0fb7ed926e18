package ebb.vm.command;

import ebb.core.cli.EbbException;
import ebb.core.kompics.PunctualComponent;
import ebb.vm.client.ProvisionClient;
import ebb.vm.gce.ComputeEngineProvider;
import ebb.vm.gce.ComputeOptions;
import ebb.vm.port.Answer;
import ebb.vm.port.FailureKind;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CancelAll;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.Progress;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.provider.Provider;
import ebb.vm.provider.ProviderException;
import ebb.vm.run.Requests;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentDefinition;
import se.sics.kompics.Fault;
import se.sics.kompics.Handler;
import se.sics.kompics.Kompics;
import se.sics.kompics.Positive;
import se.sics.kompics.Start;

/**
 * A Kompics system with a provider's client, for a thread that wants to wait for answers. There is
 * one such system in a process at a time.
 */
final class VmSession implements Requests, AutoCloseable {
  private static final int WORKERS = 2;
  private static final int THREADS = 64;
  private static final long START_SECONDS = 60;
  private static final long SHUTDOWN_SECONDS = 5;

  private final Root root;

  private VmSession(Root root) {
    this.root = root;
  }

  /**
   * Starts a system on Compute Engine.
   *
   * @param progress hears how requests go on, a line each
   */
  static VmSession start(ComputeOptions options, Consumer<String> progress) {
    try {
      return start(new ComputeEngineProvider(options), progress);
    } catch (ProviderException e) {
      throw new EbbException(VmOptions.exitCode(e.kind()), e.line(), e);
    }
  }

  /** Starts the system, which owns the provider from now on. */
  static VmSession start(Provider provider, Consumer<String> progress) {
    CompletableFuture<Root> started = new CompletableFuture<>();
    Kompics.createAndStart(
        Root.class,
        new RootInit(new ProvisionClient.Init(provider, THREADS, null), progress, started),
        WORKERS);
    try {
      return new VmSession(started.get(START_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the components did not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public CompletableFuture<Done> send(Request request) {
    return root.send(request);
  }

  /** Waits for the answer. */
  Done ask(Request request) {
    return got(send(request));
  }

  static Done got(CompletableFuture<Done> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a component broke: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Waits for a success.
   *
   * @throws EbbException with the failure's line
   */
  <A extends Answer> A answer(Class<A> type, Request request) {
    Done done = ask(request);
    FailureKind failure = done.outcome().failure();
    if (failure != null) {
      throw new EbbException(VmOptions.exitCode(failure), done.outcome().message());
    }
    return type.cast(done.answer());
  }

  @Override
  public void cancelAll() {
    root.cancelAll();
  }

  /** Stops all components, which closes the provider; gives up waiting after 5 s. */
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

  /** The client, and who asks it. */
  public static final class Root extends ComponentDefinition {
    private final Positive<ProvisionPort> port;
    private final Map<Long, CompletableFuture<Done>> asked = new ConcurrentHashMap<>();

    public Root(RootInit init) {
      super(PunctualComponent.class);
      Component client = create(ProvisionClient.class, init.client);
      port = client.getPositive(ProvisionPort.class);
      subscribe(
          new Handler<>(Done.class) {
            @Override
            public void handle(Done done) {
              CompletableFuture<Done> answer = asked.remove(done.id());
              if (answer != null) {
                answer.complete(done);
              }
            }
          },
          port);
      subscribe(
          new Handler<>(Progress.class) {
            @Override
            public void handle(Progress progress) {
              init.progress.accept(progress.text());
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

    private CompletableFuture<Done> send(Request request) {
      CompletableFuture<Done> answer = new CompletableFuture<>();
      asked.put(request.id(), answer);
      trigger(request, port);
      return answer;
    }

    private void cancelAll() {
      trigger(new CancelAll(), port);
    }

    @Override
    public Fault.ResolveAction handleFault(Fault fault) {
      asked.values().forEach(answer -> answer.completeExceptionally(fault.getCause()));
      return Fault.ResolveAction.DESTROY;
    }
  }

  /** What {@link Root} needs to know. */
  public static final class RootInit extends se.sics.kompics.Init<Root> {
    private final ProvisionClient.Init client;
    private final Consumer<String> progress;
    private final CompletableFuture<Root> started;

    RootInit(
        ProvisionClient.Init client, Consumer<String> progress, CompletableFuture<Root> started) {
      this.client = client;
      this.progress = progress;
      this.started = started;
    }
  }
}
