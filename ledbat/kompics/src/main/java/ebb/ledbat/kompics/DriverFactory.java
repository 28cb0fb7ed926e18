package ebb.ledbat.kompics;

import ebb.ledbat.netty.DriverStarter;
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
    return DriverStarter.netty()::start;
  }
}
