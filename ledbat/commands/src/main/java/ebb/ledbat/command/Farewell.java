package ebb.ledbat.command;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.kompics.DriverFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import se.sics.kompics.ComponentProxy;

/**
 * Keeps a process until its finished connections are forgotten: a peer whose FIN, or our
 * acknowledgement of it, was lost still gets its answer. An Ebb says that it is done, so that this
 * takes a round trip; other programs do not, and their repeated FINs are awaited.
 */
final class Farewell implements DriverFactory {
  private static final long PERIOD_MICROS = 5_000;

  /** A little more than the engine answers at most. */
  private static final long MAX_MILLIS = 10_500;

  private final DriverFactory factory;
  private volatile @Nullable EndpointDriver driver;

  /**
   * @param factory makes the driver, one
   */
  Farewell(DriverFactory factory) {
    this.factory = factory;
  }

  @Override
  public void attach(ComponentProxy component) {
    factory.attach(component);
  }

  @Override
  public EndpointDriver start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    EndpointDriver started = factory.start(local, config, listener);
    driver = started;
    return started;
  }

  /** Done when nobody can need an answer any more; at once where there is no driver. */
  CompletableFuture<Void> forgotten() {
    EndpointDriver started = driver;
    CompletableFuture<Void> forgotten = new CompletableFuture<>();
    if (started == null) {
      forgotten.complete(null);
    } else {
      started.execute((endpoint, now) -> look(started, endpoint, forgotten));
    }
    return forgotten;
  }

  /** Returns when nobody can need an answer any more, or some ten seconds have passed. */
  void await() throws InterruptedException {
    try {
      forgotten().get(MAX_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return; // Whoever has not asked by now will not ask.
    }
  }

  private static void look(
      EndpointDriver driver, LedbatEndpoint endpoint, CompletableFuture<Void> forgotten) {
    if (endpoint.connectionCount() == endpoint.stats().halfOpen()) {
      forgotten.complete(null);
    } else {
      driver.schedule(PERIOD_MICROS, (later, now) -> look(driver, later, forgotten));
    }
  }
}
