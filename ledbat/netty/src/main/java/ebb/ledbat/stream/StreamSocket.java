package ebb.ledbat.stream;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointDriver;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStarter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Streams over one UDP port for programs that block: connect, accept, read and write. It owns the
 * drivers, whose threads move the bytes: one, or as many as the configuration has loops.
 * Thread-safe; each {@link BlockingStream} has one reader and one writer.
 */
public final class StreamSocket implements AutoCloseable {
  /** What a stream may have written and not yet handed to the transport. */
  private static final long CREDIT_BYTES = 2L << 20;

  /** What a stream takes from the transport ahead of its reader. */
  private static final long WINDOW_BYTES = 2L << 20;

  private static final int MAX_WAITING = 128;

  private final BlockingQueue<Waiting> waiting = new LinkedBlockingQueue<>();
  private final List<EndpointDriver> drivers;
  private final AtomicInteger turn = new AtomicInteger();
  private volatile boolean closed;

  /** What {@link #accept} finds: a stream, or at the end none. */
  private record Waiting(@Nullable BlockingStream stream) {}

  private StreamSocket(DriverStarter starter, InetSocketAddress local, LedbatConfig config)
      throws IOException {
    CompletableFuture<List<EndpointDriver>> started = new CompletableFuture<>();
    drivers = starter.startLoops(local, config, loop -> new Acceptor(started, loop));
    started.complete(drivers);
  }

  /**
   * Binds a socket with default settings and configuration.
   *
   * @param local port 0 is any free port
   * @throws IOException when the address cannot be bound; the message is one line
   */
  public static StreamSocket bind(InetSocketAddress local) throws IOException {
    return bind(local, LedbatConfig.defaults());
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
    return drivers.get(0).localAddress();
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
    EndpointDriver driver = drivers.get(Math.floorMod(turn.getAndIncrement(), drivers.size()));
    Edges edges = new Edges();
    StreamFlow flow = newFlow(driver, remote, edges);
    BlockingStream stream = join(driver, flow, remote, edges);
    driver.execute((endpoint, now) -> flow.attach(driver.connect(endpoint, remote, flow, now)));
    if (closed) {
      edges.connected.completeExceptionally(StreamBrokenException.of(CloseReason.ENDPOINT_CLOSED));
    }
    try {
      edges.connected.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof StreamBrokenException broken) {
        throw broken;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopped) {
      stream.abort();
      throw stopped;
    }
    stream.open();
    return stream;
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
    drivers.forEach(EndpointDriver::close);
    waiting.add(new Waiting(null));
  }

  private final class Acceptor implements EndpointListener {
    private final CompletableFuture<List<EndpointDriver>> started;
    private final int loop;

    Acceptor(CompletableFuture<List<EndpointDriver>> started, int loop) {
      this.started = started;
      this.loop = loop;
    }

    @Override
    public void onAccepted(LedbatConnection connection) {
      // A socket may deliver before the call that started its driver has returned.
      EndpointDriver running = started.join().get(loop);
      if (waiting.size() >= MAX_WAITING) {
        connection.abort(running.nowMicros());
        return;
      }
      InetSocketAddress remote = connection.remote();
      Edges edges = new Edges();
      StreamFlow flow = newFlow(running, remote, edges);
      flow.accept(connection);
      BlockingStream stream = join(running, flow, remote, edges);
      stream.open();
      waiting.add(new Waiting(stream));
    }
  }

  private static StreamFlow newFlow(
      EndpointDriver driver, InetSocketAddress remote, StreamEvents edges) {
    return new StreamFlow(driver::nowMicros, remote, CREDIT_BYTES, edges);
  }

  private static BlockingStream join(
      EndpointDriver driver, StreamFlow flow, InetSocketAddress remote, StreamEvents edges) {
    return JoinedStream.join(flow, driver::execute, remote, CREDIT_BYTES, WINDOW_BYTES, edges);
  }

  /** Whether a stream came to be. */
  private static final class Edges implements StreamEvents {
    final CompletableFuture<Void> connected = new CompletableFuture<>();

    @Override
    public void onConnected() {
      connected.complete(null);
    }

    @Override
    public void onConnectFailed(CloseReason reason) {
      connected.completeExceptionally(StreamBrokenException.of(reason));
    }
  }
}
