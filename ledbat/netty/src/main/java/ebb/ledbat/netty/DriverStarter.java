package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import java.io.IOException;
import java.net.InetSocketAddress;

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

  /** Endpoints with a UDP socket and a thread each, with default settings. */
  static DriverStarter netty() {
    return new NettyStarter();
  }
}
