package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The loops of one port, which send back what comes, and ask others to do so. */
final class EchoPort implements AutoCloseable {
  final NettyDrivers drivers;

  /** Accepted and not closed, and the most of that there ever were. */
  final AtomicInteger live = new AtomicInteger();

  final AtomicInteger mostLive = new AtomicInteger();

  final AtomicInteger accepted = new AtomicInteger();

  /** What was heard on a thread that is not the connection's, or out of order. */
  final Queue<String> disorder = new ConcurrentLinkedQueue<>();

  EchoPort(InetSocketAddress local, LedbatConfig config, boolean steered) throws BindException {
    drivers =
        NettyDrivers.bind(
            NettyDriverConfig.at(local), config, new SecureRandom(), Accepting::new, steered);
  }

  InetSocketAddress address() {
    return drivers.localAddress();
  }

  long count(String name) {
    Counters counters = drivers.counters();
    List<String> names = counters.metrics().stream().map(Metric::name).toList();
    assertThat(names).contains(name);
    return counters.snapshot()[names.indexOf(name)];
  }

  /** What a connection does with its bytes. */
  enum Use {
    ONCE,
    ONCE_AND_STAY,
    AGAIN_AND_AGAIN
  }

  /** Sends so many bytes over a connection of its own, and checks that they come back. */
  Exchange exchange(InetSocketAddress to, int bytes, long seed) {
    return exchange(to, bytes, seed, Use.ONCE);
  }

  Exchange exchange(InetSocketAddress to, int bytes, long seed, Use use) {
    Exchange exchange = new Exchange(bytes, seed, use);
    drivers.next().execute((endpoint, now) -> endpoint.connect(to, exchange, now));
    return exchange;
  }

  @Override
  public void close() {
    drivers.close();
  }

  /** All events come on the thread that the first came on, and none after the last. */
  private class Orderly implements ConnectionListener {
    private Thread thread;
    private boolean ended;

    void heard(String what) {
      Thread current = Thread.currentThread();
      if (thread == null) {
        thread = current;
      }
      if (thread != current || ended) {
        disorder.add(what + " on " + current + " and not on " + thread + ", ended: " + ended);
      }
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      heard("closed");
      ended = true;
    }
  }

  private final class Accepting implements EndpointListener {
    private final int loop;

    Accepting(int loop) {
      this.loop = loop;
    }

    @Override
    public void onAccepted(LedbatConnection connection) {
      accepted.incrementAndGet();
      mostLive.accumulateAndGet(live.incrementAndGet(), Math::max);
      Echo echo = new Echo();
      echo.heard("accepted by " + loop);
      connection.setListener(echo);
    }
  }

  private final class Echo extends Orderly {
    private final ByteBuffer buffer = ByteBuffer.allocate(32 << 10).limit(0);
    private boolean peerFinished;

    private void pump(LedbatConnection connection) {
      long now = MonotonicMicros.CLOCK.getAsLong();
      do {
        if (!buffer.hasRemaining()) {
          connection.read(buffer.clear(), now);
          buffer.flip();
        }
      } while (connection.write(buffer, now) > 0);
      if (peerFinished && !buffer.hasRemaining()) {
        connection.finish(now);
      }
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      heard("readable");
      pump(connection);
    }

    @Override
    public void onWritable(LedbatConnection connection) {
      heard("writable");
      pump(connection);
    }

    @Override
    public void onPeerFinished(LedbatConnection connection) {
      heard("finished");
      peerFinished = true;
      pump(connection);
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      super.onClosed(connection, reason);
      live.decrementAndGet();
    }
  }

  /** One connection that this side opened. */
  final class Exchange extends Orderly {
    final CompletableFuture<Void> connected = new CompletableFuture<>();

    /** Some of what was sent has come back. */
    final CompletableFuture<Void> answered = new CompletableFuture<>();

    final CompletableFuture<CloseReason> closed = new CompletableFuture<>();
    private final ByteBuffer out;
    private final ByteBuffer expected;
    private final ByteBuffer in = ByteBuffer.allocate(32 << 10);
    private volatile boolean same = true;

    private final Use use;

    private Exchange(int bytes, long seed, Use use) {
      this.use = use;
      byte[] content = new byte[bytes];
      new SplittableRandom(seed).nextBytes(content);
      out = ByteBuffer.wrap(content);
      expected = ByteBuffer.wrap(content);
    }

    /** Whether all came back as it was. */
    boolean isWhole() {
      return same && !expected.hasRemaining();
    }

    @Override
    public void onConnected(LedbatConnection connection) {
      heard("connected");
      connected.complete(null);
      onWritable(connection);
    }

    @Override
    public void onWritable(LedbatConnection connection) {
      heard("writable");
      long now = MonotonicMicros.CLOCK.getAsLong();
      connection.write(out, now);
      while (use == Use.AGAIN_AND_AGAIN && !out.hasRemaining()) {
        connection.write(out.rewind(), now);
      }
      if (use == Use.ONCE && !out.hasRemaining()) {
        connection.finish(now);
      }
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      heard("readable");
      answered.complete(null);
      while (true) {
        if (use == Use.AGAIN_AND_AGAIN && !expected.hasRemaining()) {
          expected.rewind();
        }
        in.clear().limit(Math.min(in.capacity(), Math.max(1, expected.remaining())));
        if (connection.read(in, MonotonicMicros.CLOCK.getAsLong()) == 0) {
          return;
        }
        int length = in.flip().remaining();
        if (length > expected.remaining()
            || !in.equals(expected.slice(expected.position(), length))) {
          same = false;
          return;
        }
        expected.position(expected.position() + length);
      }
    }

    @Override
    public void onClosed(LedbatConnection connection, CloseReason reason) {
      super.onClosed(connection, reason);
      closed.complete(reason);
      answered.complete(null);
    }
  }
}
