package ebb.ledbat.netty;

import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.trace.Counters;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A driver's side on its event loop: the cycle of receiving, timers and sending around the engine.
 * Nothing that a datagram, the engine or a handler does ends it: failures are counted, said at most
 * now and then, and the next event is handled. Methods are for the loop unless they say otherwise.
 */
final class DriverLoop {
  /** How long closing waits for a socket that takes no more. */
  private static final long LINGER_MILLIS = 200;

  private static final int MAX_BURSTS_AT_CLOSE = 16_384;

  /** After a failure of the engine its deadlines are not trusted to move on. */
  private static final long PAUSE_AFTER_FAILURE_MICROS = 10_000;

  /** While the socket takes nothing, a deadline that has passed must not make the loop spin. */
  private static final long PAUSE_WHILE_BLOCKED_MICROS = 1_000;

  private final LongSupplier clock;
  private final UdpSocket socket;
  private final DatagramChannel channel;
  private final DatagramEngine engine;
  private final EventLoop loop;
  private final ForeignQueue foreignQueue;
  private final @Nullable DriverThreads ownThreads;
  private final @Nullable SiblingLoops siblings;
  private final int maxBurstsPerWakeUp;
  private final DriverCounts counters = new DriverCounts();
  private final WarningLimiter failures =
      new WarningLimiter(LoggerFactory.getLogger(NettyDriver.class));
  private final BurstReader reader;
  private final PacketMarks marks;
  private final BurstWriter writer;
  private final LoopTimer timer;
  private final AtomicBoolean cycleRequested = new AtomicBoolean();
  private final Runnable requestedCycle = this::runRequestedCycle;
  private final LoopInbox.Receiver toEngine = this::receive;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private boolean inCycle;
  private boolean blocked;
  private boolean engineTold;
  private boolean engineFailed;
  private boolean closing;
  private volatile boolean done;

  /** Any thread; nothing happens until {@link #start}. */
  DriverLoop(
      NettyDriverConfig config,
      LongSupplier clock,
      UdpSocket socket,
      DatagramEngine engine,
      EventLoop loop,
      @Nullable ForeignDatagramHandler foreign,
      ForeignQueue foreignQueue,
      @Nullable DriverThreads ownThreads,
      @Nullable SiblingLoops siblings) {
    this.clock = clock;
    this.socket = socket;
    this.engine = engine;
    this.loop = loop;
    this.foreignQueue = foreignQueue;
    this.ownThreads = ownThreads;
    this.siblings = siblings;
    channel = socket.channel();
    maxBurstsPerWakeUp = config.wakeUp().maxBursts();
    reader =
        new BurstReader(
            layout(socket), config.wakeUp().maxReads(), channel.alloc(), new Input(), foreign);
    marks = new PacketMarks(channel);
    writer = new BurstWriter(socket, marks, counters, new Output());
    timer = new LoopTimer(loop, this::cycle);
    if (siblings != null) {
      siblings.inbox().wakes(this::takeHandedOver);
    }
  }

  PacketMarks marks() {
    return marks;
  }

  private static ReceiveBuffers.Layout layout(UdpSocket socket) {
    if (socket.transport() == NettyTransport.NIO) {
      return ReceiveBuffers.Layout.PACKED;
    }
    // Netty joins what GRO and recvmmsg give together (netty #17492): one or the other.
    return socket.gro() ? ReceiveBuffers.Layout.ONE_BURST : ReceiveBuffers.Layout.STRIDED;
  }

  /**
   * Binds and starts, on any thread but the loop's; one of several reads nothing before {@link
   * #startReading}. Returns where it is bound.
   *
   * @throws IOException when it cannot be bound; everything is released
   */
  InetSocketAddress start(InetSocketAddress local) throws IOException {
    channel.config().setRecvByteBufAllocator(reader.buffers());
    channel.config().setAutoRead(siblings == null);
    channel.pipeline().addLast(new Handler());
    try {
      await(loop.register(channel));
      await(channel.bind(local));
    } catch (IOException e) {
      reader.buffers().release();
      throw e;
    }
    int port = channel.localAddress().getPort();
    return new InetSocketAddress(local.getAddress(), port);
  }

  private static void await(Future<?> future) throws IOException {
    try {
      future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof IOException io ? io : new IOException(String.valueOf(cause), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while binding");
    }
  }

  /** All loops of the port are there. Any thread. */
  void startReading() {
    channel.config().setAutoRead(true);
  }

  /** Any thread. */
  boolean isClosed() {
    return done;
  }

  /** Done when the port is free. Any thread. */
  CompletableFuture<Void> closed() {
    return closed;
  }

  /** Any thread. */
  DriverStats stats() {
    return counters.snapshot(socket, writer.gsoInUse(), foreignQueue.refused());
  }

  /** What {@link #stats} and the endpoint count. Any thread. */
  Counters counters(LedbatEndpoint endpoint) {
    Counters.Builder all = Counters.builder();
    counters.addTo(all, foreignQueue::refused);
    endpoint.addCounters(all);
    return all.build();
  }

  void runTask(LedbatEndpoint endpoint, EndpointDriver.Task task) {
    try {
      task.run(endpoint, clock.getAsLong());
    } catch (RuntimeException | Error e) {
      onEngineFailure("a task", e);
    }
  }

  /** Any thread: a cycle soon, once, however often it is asked for. */
  void requestCycle() {
    if (cycleRequested.compareAndSet(false, true)) {
      try {
        loop.execute(requestedCycle);
      } catch (RejectedExecutionException e) {
        foreignQueue.close();
      }
    }
  }

  private void runRequestedCycle() {
    cycleRequested.set(false);
    cycle();
  }

  /** Timers, the end of the burst, sending, and the next timer. */
  void cycle() {
    if (done || inCycle) {
      return;
    }
    inCycle = true;
    engineFailed = false;
    counters.wakeUps++;
    try {
      long now = clock.getAsLong();
      if (engine.nextTimeoutMicros() <= now) {
        engine.onTimeout(now);
      }
      engine.endOfBurst(now);
    } catch (RuntimeException | Error e) {
      onEngineFailure("the engine", e);
    }
    try {
      blocked = !foreignQueue.sendTo(writer, counters);
      if (!blocked && !sendBursts(maxBurstsPerWakeUp)) {
        // There is more; what has arrived meanwhile comes first.
        requestCycle();
      }
    } catch (RuntimeException | Error e) {
      onEngineFailure("the engine", e);
    } finally {
      inCycle = false;
      if (closing) {
        finishCloseIfDrained();
      } else {
        rearm();
      }
      counters.publish();
    }
  }

  /** Sends until there is no more, or no room; false when the limit came first. */
  private boolean sendBursts(int limit) {
    for (int left = limit; left > 0; left--) {
      Outgoing burst = writer.acquire();
      if (burst == null) {
        blocked = true;
        return true;
      }
      boolean filled = false;
      try {
        filled = engine.pollTransmit(burst.transmit(), clock.getAsLong());
      } finally {
        if (!filled) {
          writer.giveBack(burst);
        }
      }
      if (filled) {
        writer.send(burst);
      } else if (engineTold) {
        // A send failed, which may give the engine something else to send.
        engineTold = false;
        engine.endOfBurst(clock.getAsLong());
      } else {
        return true;
      }
    }
    return false;
  }

  private void rearm() {
    long deadline;
    try {
      deadline = engine.nextTimeoutMicros();
    } catch (RuntimeException | Error e) {
      onEngineFailure("the engine", e);
      deadline = 0;
    }
    if (deadline == Long.MAX_VALUE) {
      // A timer that is set may fire for nothing, once.
      return;
    }
    long now = clock.getAsLong();
    if (engineFailed) {
      deadline = Math.max(deadline, now + PAUSE_AFTER_FAILURE_MICROS);
    } else if (blocked) {
      deadline = Math.max(deadline, now + PAUSE_WHILE_BLOCKED_MICROS);
    }
    timer.ensure(deadline, now);
  }

  private void onEngineFailure(String where, Throwable cause) {
    engineFailed = true;
    counters.engineFailures++;
    failures.warnFailed(clock.getAsLong(), where, cause);
  }

  // ---- closing

  /** Aborts all connections and closes once that is sent. */
  void close() {
    if (closing || done) {
      return;
    }
    closing = true;
    timer.cancel();
    channel.config().setAutoRead(false);
    try {
      engine.close(clock.getAsLong());
      engine.endOfBurst(clock.getAsLong());
      sendBursts(MAX_BURSTS_AT_CLOSE);
    } catch (RuntimeException | Error e) {
      onEngineFailure("closing", e);
    }
    var unused = loop.schedule(this::finishClose, LINGER_MILLIS, TimeUnit.MILLISECONDS);
    finishCloseIfDrained();
  }

  private void finishCloseIfDrained() {
    if (!done && writer.isDrained()) {
      finishClose();
    }
  }

  private void finishClose() {
    if (done) {
      return;
    }
    done = true;
    var unused = channel.close();
  }

  /** The channel has closed, because this side wanted it or because its loop ends. */
  private void onChannelClosed() {
    if (closed.isDone()) {
      return;
    }
    if (!closing) {
      closing = true;
      try {
        engine.close(clock.getAsLong());
        engine.endOfBurst(clock.getAsLong());
      } catch (RuntimeException | Error e) {
        onEngineFailure("closing", e);
      }
    }
    done = true;
    timer.cancel();
    foreignQueue.close();
    if (siblings != null) {
      siblings.inbox().close();
    }
    writer.release();
    reader.buffers().release();
    counters.publish();
    if (ownThreads != null) {
      ownThreads.close();
    }
    completeWhenPortIsFree();
  }

  /**
   * The JDK's selector holds the port of a closed channel until it has looked at the cancelled key,
   * which it does when it selects again, or is itself closed with its loop.
   */
  private void completeWhenPortIsFree() {
    if (!socket.isHeldBySelector()) {
      closed.complete(null);
    } else if (loop.isShuttingDown()) {
      loop.terminationFuture().addListener(ended -> closed.complete(null));
    } else {
      // What is scheduled has its turn after a select. The end of the loop cancels it.
      loop.schedule(() -> {}, 0, TimeUnit.NANOSECONDS)
          .addListener(turn -> completeWhenPortIsFree());
    }
  }

  // ---- what the channel, the reader, the writer and other loops call

  private void receive(InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes) {
    try {
      engine.receive(from, burst, segmentSizeBytes, clock.getAsLong());
    } catch (RuntimeException | Error e) {
      onEngineFailure("the engine", e);
    }
  }

  private void takeHandedOver() {
    if (siblings != null && !closing) {
      siblings.inbox().drain(toEngine);
      cycle();
    }
  }

  private final class Handler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!closing && message instanceof DatagramPacket datagram) {
        reader.add(datagram);
      } else {
        ReferenceCountUtil.release(message);
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      reader.flush();
      if (siblings != null) {
        siblings.wake();
      }
      cycle();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      onChannelClosed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      counters.readFailures++;
      failures.warnFailed(clock.getAsLong(), "receiving", cause);
    }
  }

  private final class Input implements BurstReader.Sink {
    @Override
    public void onBurst(
        InetSocketAddress from, ByteBuffer burst, int segmentSizeBytes, int datagrams) {
      counters.burstsIn++;
      counters.datagramsIn += datagrams;
      counters.bytesIn += burst.remaining();
      if (siblings == null) {
        receive(from, burst, segmentSizeBytes);
      } else {
        siblings.receive(from, burst, segmentSizeBytes, counters, toEngine);
      }
    }

    @Override
    public void onForeign(
        ForeignDatagramHandler handler, InetSocketAddress from, ByteBuf datagram) {
      counters.foreignIn++;
      try {
        handler.onDatagram(from, datagram);
      } catch (RuntimeException | Error e) {
        counters.engineFailures++;
        failures.warnFailed(clock.getAsLong(), "a handler of other datagrams", e);
      }
    }
  }

  private final class Output implements BurstWriter.Listener {
    @Override
    public void onTooLarge(InetSocketAddress destination, int datagramBytes) {
      engineTold = true;
      engine.onTooLarge(destination, datagramBytes, clock.getAsLong());
    }

    @Override
    public void onUnreachable(InetSocketAddress destination) {
      engineTold = true;
      engine.onUnreachable(destination, clock.getAsLong());
    }

    @Override
    public void onSendFailed(Throwable cause) {
      failures.warnFailed(clock.getAsLong(), "sending", cause);
    }

    @Override
    public void onDrained() {
      if (closing) {
        finishCloseIfDrained();
      } else if (blocked || engineTold) {
        requestCycle();
      }
    }
  }
}
