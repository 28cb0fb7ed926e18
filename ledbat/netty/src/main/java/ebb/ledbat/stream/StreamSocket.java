package ebb.ledbat.stream;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStarter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams over one UDP port for programs that block: connect, accept, read and write. It owns the
 * driver, whose thread moves the bytes. Thread-safe; each {@link BlockingStream} has one reader and
 * one writer.
 */
public final class StreamSocket implements AutoCloseable {
  /** What a stream may have written and not yet handed to the transport. */
  private static final long CREDIT_BYTES = 2L << 20;

  /** What a stream takes from the transport ahead of its reader. */
  private static final long WINDOW_BYTES = 2L << 20;

  private static final int MAX_WAITING = 128;

  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private final EndpointDriver driver;
  private volatile boolean closed;

  /** What {@link #accept} finds: a stream, or at the end none. */
  private record Waiting(@Nullable BlockingStream stream) {}

  private StreamSocket(DriverStarter starter, InetSocketAddress local, LedbatConfig config)
      throws IOException {
    CompletableFuture<EndpointDriver> started = new CompletableFuture<>();
    driver = starter.start(local, config, new Acceptor(started));
    started.complete(driver);
  }

  /**
   * Binds a socket with default settings.
   *
   * @param local port 0 is any free port
   * @throws IOException when the address cannot be bound; the message is one line
   */
  public static StreamSocket bind(InetSocketAddress local, LedbatConfig config) throws IOException {
    return bind(local, config, DriverStarter.netty());
  }

  /**
   * Binds by {@code starter}, for instance an {@link ebb.ledbat.netty.SecureStarter}.
   *
   * @throws IOException when the address cannot be bound; the message is one line
   */
  public static StreamSocket bind(
      InetSocketAddress local, LedbatConfig config, DriverStarter starter) throws IOException {
    return new StreamSocket(starter, local, config);
  }

  /** Where it is bound. */
  public InetSocketAddress local() {
    return driver.localAddress();
  }

  /**
   * Opens a stream; blocks until the peer answered.
   *
   * @throws StreamBrokenException when there is no such peer, or it does not answer in the
   *     configuration's time
   */
  public BlockingStream connect(InetSocketAddress remote)
      throws StreamBrokenException, InterruptedException {
    if (remote.isUnresolved() || remote.getPort() == 0) {
      throw StreamBrokenException.of(CloseReason.UNREACHABLE);
    }
    Events events = new Events(driver, remote);
    driver.execute(
        (endpoint, now) -> events.flow.attach(driver.connect(endpoint, remote, events.flow, now)));
    if (closed) {
      events.connected.completeExceptionally(StreamBrokenException.of(CloseReason.ENDPOINT_CLOSED));
    }
    try {
      events.connected.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof StreamBrokenException broken) {
        throw broken;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopped) {
      events.stream.abort();
      throw stopped;
    }
    events.stream.open();
    return events.stream;
  }

  /**
   * The next stream that a peer opened; blocks. Peers are let in where the configuration accepts,
   * and 128 at most wait for this call.
   *
   * @return null when the socket was closed
   */
  public @Nullable BlockingStream accept() throws InterruptedException {
    Waiting next = waiting.take();
    if (next.stream == null) {
      waiting.add(next); // for whoever else waits
    }
    return next.stream;
  }

  /** Aborts all streams and releases the socket. Idempotent. */
  @Override
  public void close() {
    closed = true;
    driver.close();
    waiting.add(new Waiting(null));
  }

  private final class Acceptor implements EndpointListener {
    private final CompletableFuture<EndpointDriver> started;

    Acceptor(CompletableFuture<EndpointDriver> started) {
      this.started = started;
    }

    @Override
    public void onAccepted(LedbatConnection connection) {
      // A socket may deliver before the call that started its driver has returned.
      EndpointDriver running = started.join();
      if (waiting.size() >= MAX_WAITING) {
        connection.abort(running.nowMicros());
        return;
      }
      Events events = new Events(running, connection.remote());
      events.flow.accept(connection);
      events.stream.open();
      waiting.add(new Waiting(events.stream));
    }
  }

  /** One stream: what its user asks goes to the flow as tasks, what the flow tells to the user. */
  private static final class Events implements StreamEvents, StreamCommands {
    final CompletableFuture<Void> connected = new CompletableFuture<>();
    final BlockingStream stream;
    final StreamFlow flow;
    private final EndpointDriver driver;

    Events(EndpointDriver driver, InetSocketAddress remote) {
      this.driver = driver;
      LongSupplier clock = driver::nowMicros;
      flow = new StreamFlow(clock, remote, CREDIT_BYTES, this);
      stream = new BlockingStream(remote, CREDIT_BYTES, WINDOW_BYTES, this);
    }

    @Override
    public void write(ByteBuffer bytes) {
      driver.execute((endpoint, now) -> flow.write(bytes, now));
    }

    @Override
    public void demand(long bytes) {
      driver.execute((endpoint, now) -> flow.demand(bytes, now));
    }

    @Override
    public void finish() {
      driver.execute((endpoint, now) -> flow.finish(now));
    }

    @Override
    public void abort() {
      driver.execute((endpoint, now) -> flow.abort(now));
    }

    @Override
    public void onConnected() {
      connected.complete(null);
    }

    @Override
    public void onConnectFailed(CloseReason reason) {
      connected.completeExceptionally(StreamBrokenException.of(reason));
    }

    @Override
    public void onWritten(long bytes) {
      stream.onWritten(bytes);
    }

    @Override
    public void onData(ByteBuffer bytes) {
      stream.onData(bytes);
    }

    @Override
    public void onPeerFinished() {
      stream.onPeerFinished();
    }

    @Override
    public void onClosed(CloseReason reason, ConnectionStats stats) {
      stream.onStats(stats);
      stream.onClosed(reason);
    }
  }
}
