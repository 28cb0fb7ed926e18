package ebb.ledbat.kompics;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import se.sics.kompics.ComponentProxy;

/**
 * Where a component's endpoint runs: on a socket of its own, on one that is shared with others, or
 * stacked over Kompics ports. The components are the same in all cases.
 */
@FunctionalInterface
public interface DriverFactory {
  /**
   * Binds {@code local} and starts an endpoint on it. Called when the component starts, on a
   * Kompics worker; it may block for as long as binding takes.
   *
   * @throws IOException when the address cannot be bound; the message is one line
   */
  EndpointDriver start(InetSocketAddress local, LedbatConfig config, EndpointListener listener)
      throws IOException;

  /**
   * Called once, in the component's constructor, so that a factory whose driver is stacked can give
   * the component the ports that it needs. Such a factory serves one component.
   */
  default void attach(ComponentProxy component) {}

  /** Drivers that own a UDP socket each, with default settings. */
  static DriverFactory netty() {
    return (local, config, listener) ->
        NettyDriver.bind(NettyDriverConfig.at(local), config, new UnpredictableRandom(), listener);
  }
}
