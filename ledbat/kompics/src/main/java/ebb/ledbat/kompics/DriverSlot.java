package ebb.ledbat.kompics;

import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A component's hold on its driver: starts it, lends its clock and closes it exactly once, from
 * whatever thread Kompics tears the component down. Thread-safe.
 */
final class DriverSlot {
  private final DriverFactory factory;
  private final AtomicReference<@Nullable EndpointDriver> driver = new AtomicReference<>();

  // A socket may deliver before the call that started its driver has returned; until then this is
  // the system clock, which is what a driver with a thread of its own uses.
  private volatile MicroClock clock = MicroClock.system();

  DriverSlot(DriverFactory factory) {
    this.factory = factory;
  }

  /** Starts a driver; returns where it is bound. */
  synchronized InetSocketAddress start(
      InetSocketAddress local, LedbatConfig config, EndpointListener listener) throws IOException {
    EndpointDriver started = factory.start(local, config, listener);
    clock = started::nowMicros;
    EndpointDriver previous = driver.getAndSet(started);
    if (previous != null) {
      previous.close();
    }
    return started.localAddress();
  }

  /** Runs a task in the endpoint's context; false when there is no endpoint. */
  boolean execute(EndpointDriver.Task task) {
    EndpointDriver current = driver.get();
    if (current == null) {
      return false;
    }
    current.execute(task);
    return true;
  }

  /**
   * As {@link #execute}, for who may have heard of a connection before {@link #start} returned: it
   * waits for that. Not for the endpoint's own thread.
   */
  boolean executeOnceStarted(EndpointDriver.Task task) {
    if (driver.get() == null) {
      synchronized (this) {
        return execute(task);
      }
    }
    return execute(task);
  }

  /** How connections are opened inside a task, for which there is a driver. */
  LedbatConnection connect(
      LedbatEndpoint endpoint,
      InetSocketAddress remote,
      ConnectionListener listener,
      long nowMicros) {
    EndpointDriver current = driver.get();
    if (current != null) {
      return current.connect(endpoint, remote, listener, nowMicros);
    }
    // It is being closed. Nothing may go out past a driver that protects its connections.
    LedbatConnection none = endpoint.connect(remote, listener, nowMicros);
    none.abort(nowMicros);
    return none;
  }

  /** Runs a task in the endpoint's context later; nothing when there is no endpoint. */
  void schedule(long delayMicros, EndpointDriver.Task task) {
    EndpointDriver current = driver.get();
    if (current != null) {
      current.schedule(delayMicros, task);
    }
  }

  /** The driver's clock, also while it is being closed. */
  long nowMicros() {
    return clock.nowMicros();
  }

  /** Runs {@code last} in the endpoint's context and closes the driver. Idempotent. */
  void close(EndpointDriver.Task last) {
    EndpointDriver current = driver.getAndSet(null);
    if (current != null) {
      current.execute(last);
      current.close();
    }
  }
}
