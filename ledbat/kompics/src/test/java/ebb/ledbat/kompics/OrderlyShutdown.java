package ebb.ledbat.kompics;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.PortCore;
import se.sics.kompics.network.test.ComponentProxy;

/**
 * Kompics' conformance suite shuts Kompics down while its last component is still starting its
 * network, and Kompics cannot stop what is starting: it waits for ten seconds and then pulls the
 * scheduler away. This holds the suite back, at the line that it logs before, until everything has
 * started. It also knows that the end has begun: the suite counts indications, those of the
 * shutdown too when they come early enough.
 */
final class OrderlyShutdown extends TurboFilter implements AutoCloseable {
  private static final long WAIT_NANOS = 5_000_000_000L;

  private final Set<ComponentCore> parents = ConcurrentHashMap.newKeySet();
  private final LoggerContext logging = (LoggerContext) LoggerFactory.getILoggerFactory();

  private volatile boolean begun;

  OrderlyShutdown() {
    start();
    logging.addTurboFilter(this);
  }

  /** A component that has a network among its children. */
  void watch(ComponentProxy parent) {
    begun = false;
    parents.add(((PortCore<?>) parent.getControlPort()).getOwner());
  }

  /** Whether the suite has what it waited for and shuts down. */
  boolean hasBegun() {
    return begun;
  }

  @Override
  public FilterReply decide(
      Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object[] arguments,
      Throwable thrown) {
    if (format != null && format.contains("Shutting Down Kompics")) {
      begun = true;
      long deadline = System.nanoTime() + WAIT_NANOS;
      while (parents.stream().anyMatch(OrderlyShutdown::isStarting)
          && System.nanoTime() - deadline < 0) {
        Thread.onSpinWait();
      }
      parents.clear();
    }
    return FilterReply.NEUTRAL;
  }

  private static boolean isStarting(ComponentCore component) {
    return component.state() == Component.State.STARTING;
  }

  @Override
  public void close() {
    logging.getTurboFilterList().remove(this);
  }
}
