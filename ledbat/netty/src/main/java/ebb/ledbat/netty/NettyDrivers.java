package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.endpoint.Places;
import ebb.ledbat.endpoint.PortPart;
import ebb.ledbat.trace.Counters;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drivers of one port: as many as {@link LedbatConfig#loops} says, each with a socket, an event
 * loop and an endpoint of its own. A connection stays with the loop that its id names ({@link
 * ebb.ledbat.endpoint.Steering}), and its events come on that loop, in order; what arrives at
 * another is passed on. Thread-safe.
 */
public final class NettyDrivers implements AutoCloseable {
  /**
   * What may wait for a loop to take it from others, as much as a socket's buffer holds by default;
   * what comes beyond it is dropped and counted.
   */
  public static final int MAX_HANDED_OVER_BYTES = 4 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(NettyDrivers.class);

  private final List<NettyDriver> drivers;
  private final AtomicInteger turn = new AtomicInteger();

  private NettyDrivers(List<NettyDriver> drivers) {
    this.drivers = List.copyOf(drivers);
  }

  /**
   * Binds a port that carries nothing but LEDBAT and starts its endpoints; blocks until all are
   * bound. Listeners may be called before this returns, each by its loop.
   *
   * @param config with threads of its own it gets one for each loop
   * @param random unpredictable and, for more than one loop, thread-safe
   * @param listeners the listener of each loop, from 0; one that serves several must be thread-safe
   * @throws BindException when the address cannot be bound, or there is no epoll for more than one
   *     loop; the message is one line
   */
  public static NettyDrivers bind(
      NettyDriverConfig config,
      LedbatConfig ledbat,
      RandomGenerator random,
      IntFunction<EndpointListener> listeners)
      throws BindException {
    return bind(config, ledbat, random, listeners, true);
  }

  /**
   * @param steered whether the kernel is told which datagram is whose, or has to be corrected
   */
  static NettyDrivers bind(
      NettyDriverConfig config,
      LedbatConfig ledbat,
      RandomGenerator random,
      IntFunction<EndpointListener> listeners,
      boolean steered)
      throws BindException {
    if (ledbat.loops() == 1) {
      return new NettyDrivers(
          List.of(NettyDriver.bind(config, ledbat, random, listeners.apply(0))));
    }
    DriverThreads own = null;
    List<NettyDriver> drivers = new ArrayList<>();
    boolean bound = false;
    try {
      requireEpoll(config, ledbat.loops());
      DriverThreads threads = config.threads();
      if (threads == null) {
        own =
            DriverThreads.create(
                NettyTransport.EPOLL,
                ledbat.loops(),
                config.ownThread().name(),
                config.ownThread().daemon());
        threads = own;
      }
      bindAll(config, threads, ledbat, random, listeners, drivers);
      if (steered && !NativeEpoll.steer(drivers.get(0).channel(), ledbat.loops())) {
        LOG.info("the kernel cannot tell loops' datagrams apart; they are passed on instead");
      }
      drivers.forEach(NettyDriver::startReading);
      bound = true;
    } catch (IOException | IllegalStateException e) {
      throw NettyDriver.failure(config.local(), e);
    } finally {
      if (!bound) {
        drivers.forEach(NettyDriver::close);
      }
      if (own != null) {
        DriverThreads ended = own;
        var unused =
            CompletableFuture.allOf(
                    drivers.stream().map(NettyDriver::closed).toArray(CompletableFuture[]::new))
                .thenRun(ended::close);
      }
    }
    return new NettyDrivers(drivers);
  }

  private static void requireEpoll(NettyDriverConfig config, int loops) {
    String why =
        config.socket().transport() == NettyTransport.NIO
            ? "NIO was chosen"
            : EpollPresence.unavailability();
    if (why != null) {
      throw new IllegalStateException(loops + " loops need Netty's native epoll: " + why);
    }
  }

  private static void bindAll(
      NettyDriverConfig config,
      DriverThreads threads,
      LedbatConfig ledbat,
      RandomGenerator random,
      IntFunction<EndpointListener> listeners,
      List<NettyDriver> drivers)
      throws IOException {
    int loops = ledbat.loops();
    Places places = new Places(ledbat);
    List<LoopInbox> inboxes = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      inboxes.add(new LoopInbox(threads.next(), PooledByteBufAllocator.DEFAULT));
    }
    NettyDriverConfig next = config;
    for (int i = 0; i < loops; i++) {
      int loop = i;
      PortPart part = new PortPart(loop, loops, places, task -> drivers.get(loop).execute(task));
      LedbatEndpoint endpoint = new LedbatEndpoint(ledbat, random, listeners.apply(i), part);
      NettyDriver driver =
          NettyDriver.bindOneOf(next, endpoint, new SiblingLoops(i, List.copyOf(inboxes)));
      drivers.add(driver);
      if (i == 0) {
        // Nobody else had the port, and only now others of this user may.
        NativeEpoll.sharePort(driver.channel());
        next = config.withLocal(driver.localAddress()).withSharedPort();
      }
    }
  }

  /** The driver of each loop. */
  public List<NettyDriver> all() {
    return drivers;
  }

  /** The driver for a connection that this side opens: each in turn. */
  public NettyDriver next() {
    return drivers.get(Math.floorMod(turn.getAndIncrement(), drivers.size()));
  }

  /** Where they are bound. */
  public InetSocketAddress localAddress() {
    return drivers.get(0).localAddress();
  }

  /** What all of them did so far, added up. Any thread, also after close. */
  public Counters counters() {
    return Counters.sum(drivers.stream().map(NettyDriver::counters).toList());
  }

  /**
   * Aborts all connections and releases the port. On any other thread than the drivers' it returns
   * when the port is free. Idempotent.
   */
  @Override
  public void close() {
    boolean onLoop = drivers.stream().anyMatch(NettyDriver::isOnLoop);
    drivers.forEach(NettyDriver::beginClose);
    if (!onLoop) {
      drivers.forEach(NettyDriver::close);
    }
  }
}
