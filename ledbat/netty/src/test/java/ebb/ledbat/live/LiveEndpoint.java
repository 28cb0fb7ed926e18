package ebb.ledbat.live;

import static java.util.concurrent.TimeUnit.SECONDS;

import ebb.core.rand.SeededRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.endpoint.EndpointStats;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** An endpoint on a socket of 127.0.0.1, for tests. */
final class LiveEndpoint implements AutoCloseable {
  static final long WAIT_SECONDS = 60;

  final NettyDriver driver;

  LiveEndpoint(LedbatConfig config, EndpointListener listener) throws BindException {
    this(0, config, listener);
  }

  LiveEndpoint(int port, LedbatConfig config, EndpointListener listener) throws BindException {
    driver =
        NettyDriver.bind(
            NettyDriverConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
            config,
            new SeededRandom(System.nanoTime()),
            listener);
  }

  /** One that takes whatever comes and reads it. */
  static LiveEndpoint sink(LedbatConfig config, AtomicLong readBytes) throws BindException {
    LiveEndpoint[] own = new LiveEndpoint[1];
    Drain drain = new Drain(own, readBytes);
    own[0] =
        new LiveEndpoint(
            config,
            new EndpointListener() {
              @Override
              public void onAccepted(LedbatConnection connection) {
                connection.setListener(drain);
              }
            });
    return own[0];
  }

  /** Reads everything of all connections, and finishes when a peer does. */
  private static final class Drain implements ConnectionListener {
    private final LiveEndpoint[] own;
    private final AtomicLong readBytes;
    private final ByteBuffer target = ByteBuffer.allocate(256 << 10);

    Drain(LiveEndpoint[] own, AtomicLong readBytes) {
      this.own = own;
      this.readBytes = readBytes;
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      int bytes;
      do {
        target.clear();
        bytes = connection.read(target, own[0].driver.nowMicros());
        readBytes.addAndGet(bytes);
      } while (bytes > 0);
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      connection.finish(own[0].driver.nowMicros());
    }
  }

  /** Writes without end, or up to a number of bytes and finishes then. */
  final class Source implements ConnectionListener {
    final CompletableFuture<LedbatConnection> connected = new CompletableFuture<>();
    final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    private final ByteBuffer chunk = ByteBuffer.allocate(256 << 10);
    private long leftBytes;

    Source(long bytes) {
      leftBytes = bytes;
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      connected.complete(connection);
      onWritable(connection);
    }

    @Override
    public void onWritable(LedbatConnection connection) {
      int taken;
      do {
        chunk.clear().limit((int) Math.min(leftBytes, chunk.capacity()));
        taken = connection.write(chunk, driver.nowMicros());
        leftBytes -= taken;
      } while (taken > 0 && leftBytes > 0);
      if (leftBytes == 0) {
        connection.finish(driver.nowMicros());
      }
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      closed.complete(reason);
    }
  }

  /** Connects and writes that many bytes. */
  Source connect(LiveEndpoint to, long bytes) {
    Source source = new Source(bytes);
    driver.execute((endpoint, now) -> endpoint.connect(to.address(), source, now));
    return source;
  }

  InetSocketAddress address() {
    return driver.localAddress();
  }

  /** Asks on the endpoint's own thread. */
  <T> T ask(Function<LedbatEndpoint, T> question) throws Exception {
    CompletableFuture<T> answer = new CompletableFuture<>();
    driver.execute((endpoint, now) -> answer.complete(question.apply(endpoint)));
    return answer.get(WAIT_SECONDS, SECONDS);
  }

  EndpointStats stats() throws Exception {
    return ask(LedbatEndpoint::stats);
  }

  @Override
  public void close() {
    driver.close();
  }
}
