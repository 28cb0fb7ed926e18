package ebb.ledbat.endpoint;

import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.trace.Counters;
import java.net.InetSocketAddress;

/**
 * What runs an endpoint: gives it time, datagrams and timers, and takes what it wants sent. There
 * is a Netty one for live use and one over Kompics ports for stacking and simulation. All methods
 * are thread-safe.
 */
public interface EndpointDriver extends AutoCloseable {
  /** A task for the endpoint's context. */
  @FunctionalInterface
  interface Task {
    void run(LedbatEndpoint endpoint, long nowMicros);
  }

  /**
   * Runs {@code task} in the endpoint's context, soon; whatever it made sendable is sent and timers
   * are set right after. Tasks run in the order given. After close, tasks are dropped.
   */
  void execute(Task task);

  /**
   * Runs {@code task} in the endpoint's context once at least {@code delayMicros} have passed; a
   * millisecond late is fine. It cannot be taken back; after close it is dropped.
   */
  void schedule(long delayMicros, Task task);

  /**
   * Opens a connection; called in the endpoint's context. A driver that protects its connections
   * gives out protected ones, as it does to the {@link EndpointListener}.
   */
  default LedbatConnection connect(
      LedbatEndpoint endpoint,
      InetSocketAddress remote,
      ConnectionListener listener,
      long nowMicros) {
    return endpoint.connect(remote, listener, nowMicros);
  }

  /**
   * The clock that tasks are handed, for listeners: they are called without the time and need it to
   * read and write.
   */
  long nowMicros();

  /**
   * What the driver and its endpoint did so far. Any thread may take a snapshot, also after close;
   * it holds at least what was counted by the end of the driver's last cycle.
   */
  Counters counters();

  /** Where it is bound. */
  InetSocketAddress localAddress();

  /** Aborts all connections, sends what that takes, and releases the socket. Idempotent. */
  @Override
  void close();
}
