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
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A component's hold on its driver, or on those of all loops of its port: starts them, lends their
 * clock and closes them exactly once, from whatever thread Kompics tears the component down. Where
 * no loop is named it is the first, which is all that most components have. Thread-safe.
 */
final class DriverSlot {
  private final DriverFactory factory;
  private final AtomicReference<@Nullable List<EndpointDriver>> drivers = new AtomicReference<>();

  // A socket may deliver before the call that started its driver has returned; until then this is
  // the system clock, which is what a driver with a thread of its own uses.
  private volatile MicroClock clock = MicroClock.system();

  DriverSlot(DriverFactory factory) {
    this.factory = factory;
  }

  /**
   * Starts a driver for each loop; returns where they are bound.
   *
   * @param listeners the listener of each loop
   */
  synchronized InetSocketAddress start(
      InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
      throws IOException {
    List<EndpointDriver> started = factory.startLoops(local, config, listeners);
    EndpointDriver first = started.get(0);
    clock = first::nowMicros;
    List<EndpointDriver> previous = drivers.getAndSet(started);
    if (previous != null) {
      previous.forEach(EndpointDriver::close);
    }
    return first.localAddress();
  }

  private @Nullable EndpointDriver driver(int loop) {
    List<EndpointDriver> current = drivers.get();
    return current == null ? null : current.get(loop);
  }

  /** Runs a task in the endpoint's context; false when there is no endpoint. */
  boolean execute(EndpointDriver.Task task) {
    return execute(0, task);
  }

  /** The same for one of several. */
  boolean execute(int loop, EndpointDriver.Task task) {
    EndpointDriver current = driver(loop);
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
  boolean executeOnceStarted(int loop, EndpointDriver.Task task) {
    if (drivers.get() == null) {
      synchronized (this) {
        return execute(loop, task);
      }
    }
    return execute(loop, task);
  }

  /** How connections are opened inside a task of that loop, for which there is a driver. */
  LedbatConnection connect(
      int loop,
      LedbatEndpoint endpoint,
      InetSocketAddress remote,
      ConnectionListener listener,
      long nowMicros) {
    EndpointDriver current = driver(loop);
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
    EndpointDriver current = driver(0);
    if (current != null) {
      current.schedule(delayMicros, task);
    }
  }

  /** The driver's clock, also while it is being closed. */
  long nowMicros() {
    return clock.nowMicros();
  }

  /** Runs the last task of each loop in its endpoint's context and closes them. Idempotent. */
  void close(IntFunction<EndpointDriver.Task> last) {
    List<EndpointDriver> current = drivers.getAndSet(null);
    if (current != null) {
      for (int loop = 0; loop < current.size(); loop++) {
        current.get(loop).execute(last.apply(loop));
      }
      current.forEach(EndpointDriver::close);
    }
  }
}
