package ebb.vm.command;

import ebb.core.attempts.FailureKind;
import ebb.core.cli.EbbException;
import ebb.core.kompics.KompicsSystem;
import ebb.vm.client.ProvisionClient;
import ebb.vm.port.Answer;
import ebb.vm.port.ProvisionPort;
import ebb.vm.port.ProvisionPort.CancelAll;
import ebb.vm.port.ProvisionPort.Done;
import ebb.vm.port.ProvisionPort.Progress;
import ebb.vm.port.ProvisionPort.Request;
import ebb.vm.provider.Provider;
import ebb.vm.run.Requests;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import se.sics.kompics.Component;
import se.sics.kompics.KompicsEvent;

/**
 * A provider's client in a {@link KompicsSystem}, for a thread that wants to wait for answers.
 * There is one such system in a process at a time.
 */
final class VmSession implements Requests, AutoCloseable {
  private static final int THREADS = 64;

  private final Map<Long, CompletableFuture<Done>> asked = new ConcurrentHashMap<>();
  private final KompicsSystem<Consumer<KompicsEvent>> system;

  private VmSession(Provider provider, Consumer<String> progress) throws InterruptedException {
    system =
        KompicsSystem.start(
            components -> {
              Component client =
                  components.create(
                      ProvisionClient.class, new ProvisionClient.Init(provider, THREADS, null));
              components.on(client, ProvisionPort.class, Done.class, this::done);
              components.on(
                  client,
                  ProvisionPort.class,
                  Progress.class,
                  event -> progress.accept(event.text()));
              return components.into(client, ProvisionPort.class);
            },
            cause -> asked.values().forEach(answer -> answer.completeExceptionally(cause)));
  }

  private void done(Done done) {
    CompletableFuture<Done> answer = asked.remove(done.id());
    if (answer != null) {
      answer.complete(done);
    }
  }

  /**
   * Starts the system, which owns the provider from now on.
   *
   * @param progress hears how requests go on, a line each
   */
  static VmSession start(Provider provider, Consumer<String> progress) {
    try {
      return new VmSession(provider, progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public CompletableFuture<Done> send(Request request) {
    CompletableFuture<Done> answer = new CompletableFuture<>();
    asked.put(request.id(), answer);
    system.handle().accept(request);
    return answer;
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
    system.handle().accept(new CancelAll());
  }

  /** Stops all components, which closes the provider; gives up waiting after 5 s. */
  @Override
  public void close() {
    system.close();
  }
}
