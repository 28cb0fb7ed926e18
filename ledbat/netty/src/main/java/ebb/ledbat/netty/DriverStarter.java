package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.IntFunction;

/** Starts endpoints: on a socket of their own, protected by a key, or as a program likes. */
@FunctionalInterface
public interface DriverStarter {
  /**
   * Binds {@code local} and starts an endpoint on it; it may block for as long as binding takes.
   *
   * @throws IOException when the address cannot be bound; the message is one line
   */
  EndpointDriver start(InetSocketAddress local, LedbatConfig config, EndpointListener listener)
      throws IOException;

  /**
   * The same for as many endpoints as the configuration has loops, all at {@code local}. A
   * connection stays with one; this side may open it by any of them.
   *
   * @param listeners the listener of each loop, from 0; one that serves several must be thread-safe
   * @return the driver of each loop
   * @throws IllegalArgumentException when there is more than one and this starter cannot have that
   */
  default List<EndpointDriver> startLoops(
      InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
      throws IOException {
    config.requireOneLoop("This kind of driver");
    return List.of(start(local, config, listeners.apply(0)));
  }

  /** Endpoints with a UDP socket and a thread each, with default settings. */
  static DriverStarter netty() {
    return new NettyStarter();
  }
}
