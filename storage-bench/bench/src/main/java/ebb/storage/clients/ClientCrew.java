package ebb.storage.clients;

import ebb.core.attempts.FailureKind;
import ebb.core.attempts.RequestFailedException;
import ebb.core.text.OneLine;
import ebb.storage.bench.StorageRun.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a run: who is there, and who was lost and why. It does steps with all of them at
 * the same time, lets them know that somebody is here, and ends them. What the steps are is {@link
 * ClientGroup}'s.
 */
final class ClientCrew implements AutoCloseable {
  private static final long PULSE_SECONDS = 5;

  private final List<ClientLink> all = new ArrayList<>();
  private final List<ClientLink> alive = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(ClientCrew::daemon);
  private final ScheduledExecutorService pulse =
      Executors.newSingleThreadScheduledExecutor(ClientCrew::daemon);
  private @Nullable Failure failure;
  private @Nullable RequestFailedException cause;
  private volatile boolean cancelled;
  private boolean ended;

  /** What is done with one client, or for one host. */
  interface Step<A, T> {
    T of(A one) throws RequestFailedException, InterruptedException;
  }

  /** What one client answered. */
  record Got<T>(ClientLink link, T value) {}

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "ebb-clients");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Reaches all clients, at the same time.
   *
   * @param heard is run whenever one says how far it is
   * @throws RequestFailedException when one cannot be reached; the others are there to be ended
   */
  void open(ClientHosts hosts, Step<ClientHosts.Host, Talk> way, Runnable heard)
      throws RequestFailedException, InterruptedException {
    List<Future<Talk>> talks = new ArrayList<>();
    for (ClientHosts.Host host : hosts.hosts()) {
      talks.add(threads.submit(() -> way.of(host)));
    }
    RequestFailedException failed = null;
    for (int i = 0; i < talks.size(); i++) {
      String name = hosts.hosts().get(i).name();
      try {
        ClientLink link = new ClientLink(name, talks.get(i).get(), heard);
        synchronized (this) {
          all.add(link);
          alive.add(link);
        }
      } catch (ExecutionException e) {
        failed = failed == null ? known(name, e) : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
    ScheduledFuture<?> unused =
        pulse.scheduleAtFixedRate(this::tellAlive, PULSE_SECONDS, PULSE_SECONDS, TimeUnit.SECONDS);
  }

  private static RequestFailedException known(String name, ExecutionException failed) {
    Throwable why = failed.getCause() == null ? failed : failed.getCause();
    return why instanceof RequestFailedException request
        ? request
        : new RequestFailedException(
            FailureKind.UNAVAILABLE, "client '" + name + "': " + OneLine.of(why), why);
  }

  /** All that were reached, in the order of the hosts. */
  List<ClientLink> all() {
    return all;
  }

  synchronized List<ClientLink> alive() {
    return List.copyOf(alive);
  }

  boolean isCancelled() {
    return cancelled;
  }

  private void tellAlive() {
    tell(Wire.ALIVE);
  }

  private synchronized void tell(String word) {
    for (ClientLink link : alive) {
      try {
        link.tell(Wire.message(Wire.ASK, word));
      } catch (RequestFailedException e) {
        // It has gone; whoever waits for it finds out.
      }
    }
  }

  /** Does a step with all clients that are there at the same time; who fails is lost. */
  <T> List<Got<T>> each(Step<ClientLink, T> step) throws InterruptedException {
    List<ClientLink> links = alive();
    List<Future<T>> futures = new ArrayList<>();
    for (ClientLink link : links) {
      futures.add(threads.submit(() -> step.of(link)));
    }
    List<Got<T>> got = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      try {
        got.add(new Got<>(links.get(i), futures.get(i).get()));
      } catch (ExecutionException e) {
        lose(links.get(i), known(links.get(i).name(), e));
      }
    }
    return got;
  }

  /** All answer the same question. */
  List<Got<ClientAnswer>> ask(Map<String, Object> message) throws InterruptedException {
    return each(link -> ClientAnswer.to(link, message));
  }

  private synchronized void lose(ClientLink link, RequestFailedException why) {
    alive.remove(link);
    if (cause == null) {
      cause = why;
    }
    if (failure == null && !cancelled) {
      failure =
          new Failure(why.kind(), why.line() + "; lost with it: what it did since its last answer");
    }
    link.close();
  }

  /** The first loss, as what ends a run; null while all are there. */
  synchronized @Nullable Failure failure() {
    return failure;
  }

  /** Before anything was measured, a loss is the end. */
  synchronized void failIfLost() throws RequestFailedException {
    RequestFailedException first = cause;
    if (first != null) {
      throw new RequestFailedException(first.kind(), first.line(), first);
    }
  }

  /** Gives up what runs, and what starts. */
  void cancel() {
    cancelled = true;
    tell(Wire.CANCEL);
  }

  /** Lets all of them end in order; once. */
  void end() throws InterruptedException {
    if (ended) {
      return;
    }
    ended = true;
    pulse.shutdownNow();
    List<Future<?>> ends = new ArrayList<>();
    for (ClientLink link : alive()) {
      ends.add(
          threads.submit(
              () -> {
                link.end();
                return null;
              }));
    }
    for (Future<?> end : ends) {
      try {
        end.get();
      } catch (ExecutionException e) {
        // It is closed below, whatever it did.
      }
    }
    close();
  }

  @Override
  public void close() {
    pulse.shutdownNow();
    all.forEach(ClientLink::close);
    threads.shutdown();
  }
}
