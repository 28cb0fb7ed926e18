package ebb.ledbat.netty;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.trace.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs an endpoint on a UDP socket of its own, for live use. This class is the driver as seen from
 * other threads: binding, tasks, other protocols' datagrams, closing; {@link DriverLoop} is its
 * side on the event loop. Thread-safe.
 */
public final class NettyDriver implements EndpointDriver {
  private static final long CLOSE_WAIT_SECONDS = 5;
  private static final int MAX_TASKS_AT_ONCE = 1_024;

  private final LongSupplier clock;
  private final UdpSocket socket;
  private final LedbatEndpoint endpoint;
  private final DriverLoop driverLoop;
  private final EventLoop loop;
  private final ForeignQueue foreignQueue;
  private final InetSocketAddress localAddress;
  private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean tasksScheduled = new AtomicBoolean();
  private final Task closeMark = (unused, now) -> {};
  private final Runnable runTasks = this::runTasks;
  private final AtomicBoolean closing = new AtomicBoolean();

  private NettyDriver(
      LongSupplier clock,
      UdpSocket socket,
      LedbatEndpoint endpoint,
      DriverLoop driverLoop,
      EventLoop loop,
      ForeignQueue foreignQueue,
      InetSocketAddress localAddress) {
    this.clock = clock;
    this.socket = socket;
    this.endpoint = endpoint;
    this.driverLoop = driverLoop;
    this.loop = loop;
    this.foreignQueue = foreignQueue;
    this.localAddress = localAddress;
  }

  /** Binds a socket that carries nothing but LEDBAT. See the other {@code bind}. */
  public static NettyDriver bind(
      NettyDriverConfig config,
      LedbatConfig ledbat,
      RandomGenerator random,
      EndpointListener listener)
      throws BindException {
    return bind(config, ledbat, random, listener, null);
  }

  /**
   * Binds a socket and starts an endpoint on it; blocks until it is bound. Datagrams may arrive,
   * and the listener may be called, before this returns.
   *
   * @param random for connection ids: unpredictable
   * @param foreign takes datagrams that are not uTP; null to have them counted as malformed
   * @throws BindException when the address cannot be bound; the message is one line
   */
  public static NettyDriver bind(
      NettyDriverConfig config,
      LedbatConfig ledbat,
      RandomGenerator random,
      EndpointListener listener,
      @Nullable ForeignDatagramHandler foreign)
      throws BindException {
    ledbat.requireOneLoop("A NettyDriver (see NettyDrivers)");
    LedbatEndpoint endpoint = new LedbatEndpoint(ledbat, random, listener);
    return bind(config, MonotonicMicros.CLOCK, endpoint, DatagramEngine.of(endpoint), foreign);
  }

  static NettyDriver bind(
      NettyDriverConfig config,
      LongSupplier clock,
      LedbatEndpoint endpoint,
      DatagramEngine engine,
      @Nullable ForeignDatagramHandler foreign)
      throws BindException {
    DriverThreads own = null;
    boolean bound = false;
    try {
      DriverThreads threads = config.threads();
      if (threads == null) {
        own =
            DriverThreads.create(
                config.socket().transport(),
                1,
                config.ownThread().name(),
                config.ownThread().daemon());
        threads = own;
      }
      EventLoop loop = threads.next();
      NettyDriver driver =
          bind(config, threads.transport(), clock, endpoint, engine, loop, foreign, own, null);
      bound = true;
      return driver;
    } catch (IOException | IllegalStateException e) {
      throw failure(config.local(), e);
    } finally {
      if (!bound && own != null) {
        own.close();
      }
    }
  }

  /** Binds one of the loops of a port, which reads nothing yet. */
  static NettyDriver bindOneOf(
      NettyDriverConfig config, LedbatEndpoint endpoint, SiblingLoops siblings) throws IOException {
    return bind(
        config,
        NettyTransport.EPOLL,
        MonotonicMicros.CLOCK,
        endpoint,
        DatagramEngine.of(endpoint),
        siblings.inbox().loop(),
        null,
        null,
        siblings);
  }

  private static NettyDriver bind(
      NettyDriverConfig config,
      NettyTransport transport,
      LongSupplier clock,
      LedbatEndpoint endpoint,
      DatagramEngine engine,
      EventLoop loop,
      @Nullable ForeignDatagramHandler foreign,
      @Nullable DriverThreads own,
      @Nullable SiblingLoops siblings)
      throws IOException {
    UdpSocket socket = UdpSocket.open(transport, config);
    boolean bound = false;
    try {
      ForeignQueue foreignQueue = new ForeignQueue(config.maxForeignQueueBytes());
      DriverLoop driverLoop =
          new DriverLoop(config, clock, socket, engine, loop, foreign, foreignQueue, own, siblings);
      InetSocketAddress local = driverLoop.start(config.local());
      bound = true;
      if (siblings == null || siblings.isFirst()) {
        socket.logGrants(config);
      }
      return new NettyDriver(clock, socket, endpoint, driverLoop, loop, foreignQueue, local);
    } finally {
      if (!bound) {
        socket.discard();
      }
    }
  }

  static BindException failure(InetSocketAddress local, Exception cause) {
    String text = String.valueOf(cause.getMessage());
    String reason =
        text.contains("in use")
            ? "the port is in use"
            : text.contains("ermission denied")
                ? "permission denied"
                : text.contains("assign requested address")
                    ? "this machine does not have the address"
                    : text;
    BindException failure =
        new BindException(
            "cannot bind "
                + local.getAddress().getHostAddress()
                + " port "
                + local.getPort()
                + ": "
                + reason);
    failure.initCause(cause);
    return failure;
  }

  @Override
  public void execute(Task task) {
    if (driverLoop.isClosed()) {
      return;
    }
    tasks.add(task);
    scheduleTasks();
  }

  private void scheduleTasks() {
    if (tasksScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(runTasks);
      } catch (RejectedExecutionException e) {
        // The loop has ended, and with it this driver.
        tasks.clear();
      }
    }
  }

  private void runTasks() {
    tasksScheduled.set(false);
    for (int i = 0; i < MAX_TASKS_AT_ONCE; i++) {
      Task task = tasks.poll();
      if (task == null) {
        break;
      }
      if (driverLoop.isClosed()) {
        tasks.clear();
        return;
      }
      if (task == closeMark) {
        driverLoop.close();
        tasks.clear();
        return;
      }
      driverLoop.runTask(endpoint, task);
    }
    if (!tasks.isEmpty()) {
      scheduleTasks();
    }
    driverLoop.cycle();
  }

  @Override
  public void schedule(long delayMicros, Task task) {
    try {
      var unused =
          loop.schedule(() -> execute(task), Math.max(0, delayMicros), TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException e) {
      // The loop has ended: after close, tasks are dropped.
    }
  }

  @Override
  public long nowMicros() {
    return clock.getAsLong();
  }

  @Override
  public InetSocketAddress localAddress() {
    return localAddress;
  }

  /**
   * Sends one datagram that is not uTP from this driver's address. It is sent once; whether it
   * arrives nobody knows. Larger ones than 1,200 bytes may be fragmented by IP.
   *
   * @param bytes readable bytes are the payload, at least 1; taken over and released
   * @return completed on the driver's loop when the kernel has taken it; fails with an {@link
   *     IOException} of one line when it did not, or at once when too many wait already
   */
  public CompletableFuture<Void> sendDatagram(InetSocketAddress to, ByteBuf bytes) {
    CompletableFuture<Void> done = foreignQueue.offer(to, bytes);
    if (!done.isDone()) {
      driverLoop.requestCycle();
    }
    return done;
  }

  /**
   * Packets to this peer have this type of service (DSCP and ECN) from now on, until as many have
   * called {@link #unmark}. On the driver's loop.
   *
   * @param typeOfService 0 to 255
   */
  public void mark(InetSocketAddress peer, int typeOfService) {
    if (typeOfService < 0 || typeOfService > 255) {
      throw new IllegalArgumentException("a type of service is 0 to 255: " + typeOfService);
    }
    driverLoop.marks().add(peer, typeOfService);
  }

  /** On the driver's loop. */
  public void unmark(InetSocketAddress peer) {
    driverLoop.marks().remove(peer);
  }

  /** Whether probes for a larger path MTU mean anything: the socket can forbid fragmentation. */
  public boolean pathMtuProbing() {
    return socket.dontFragment().supported();
  }

  /** All loops of the port are there. */
  void startReading() {
    driverLoop.startReading();
  }

  boolean isOnLoop() {
    return loop.inEventLoop();
  }

  /** Done when the port is free. */
  CompletableFuture<Void> closed() {
    return driverLoop.closed();
  }

  /** The channel, for the loops of a port and for tests that play the kernel. */
  Channel channel() {
    return socket.channel();
  }

  @Override
  public Counters counters() {
    return driverLoop.counters(endpoint);
  }

  /** What it did so far. */
  public DriverStats stats() {
    return driverLoop.stats();
  }

  /**
   * See {@link EndpointDriver#close}. Called on any other thread than the driver's it returns when
   * the port is free; on the driver's thread the closing follows the tasks given so far.
   */
  @Override
  public void close() {
    beginClose();
    if (!loop.inEventLoop()) {
      try {
        driverLoop.closed().get(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException e) {
        // It goes on closing; there is nothing the caller could do.
      }
    }
  }

  /** As {@link #close}, without waiting. */
  void beginClose() {
    if (closing.compareAndSet(false, true)) {
      execute(closeMark);
    }
  }
}
