package ebb.ledbat.kompics;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStarter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.IntFunction;
import se.sics.kompics.ComponentProxy;

/**
 * Where a component's endpoint runs: on a socket of its own, on one that is shared with others, or
 * stacked over Kompics ports. The components are the same in all cases.
 */
@FunctionalInterface
public interface DriverFactory extends DriverStarter {
  /**
   * Called once, in the component's constructor, so that a factory whose driver is stacked can give
   * the component the ports that it needs. Such a factory serves one component.
   */
  default void attach(ComponentProxy component) {}

  /** Drivers that own a UDP socket each, with default settings. */
  static DriverFactory netty() {
    DriverStarter starter = DriverStarter.netty();
    return new DriverFactory() {
      @Override
      public EndpointDriver start(
          InetSocketAddress local, LedbatConfig config, EndpointListener listener)
          throws IOException {
        return starter.start(local, config, listener);
      }

      @Override
      public List<EndpointDriver> startLoops(
          InetSocketAddress local, LedbatConfig config, IntFunction<EndpointListener> listeners)
          throws IOException {
        return starter.startLoops(local, config, listeners);
      }
    };
  }
}
