package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStats;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDrivers;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The sending process of many connections at once, all of one port, all kept full. */
final class CrowdSource {
  private static final int CHUNK_BYTES = 1 << 16;

  /** All connections' buffers together are half of what an endpoint may hold by default. */
  private static final int BUFFER_BYTES = 128 << 10;

  private static final ByteBuffer CONTENT = ByteBuffer.allocateDirect(CHUNK_BYTES);

  private final Meter meter = new Meter();
  private final NettyDrivers drivers;
  private final int wanted;

  // Goes from loop to loop with the connection that is opened.
  private final List<Runnable> starts = new ArrayList<>();

  private CrowdSource(NettyDrivers drivers, int wanted) {
    this.drivers = drivers;
    this.wanted = wanted;
  }

  static LedbatConfig config(int datagramBytes, int loops) {
    return Sides.config(datagramBytes).toBuilder()
        .loops(loops)
        .sendBufferBytes(BUFFER_BYTES)
        .receiveBufferBytes(BUFFER_BYTES)
        .build();
  }

  /** Arguments: address, mode, datagram size, loops, connections, the receiver's address, port. */
  public static void main(String[] args) throws IOException {
    try (NettyDrivers drivers =
        NettyDrivers.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            config(Integer.parseInt(args[2]), Integer.parseInt(args[3])),
            new UnpredictableRandom(),
            loop -> new EndpointListener() {})) {
      CrowdSource source = new CrowdSource(drivers, Integer.parseInt(args[4]));
      InetSocketAddress to = new InetSocketAddress(args[5], Integer.parseInt(args[6]));
      source.connectNext(to);
      source
          .meter
          .with(Mark.PACKETS, () -> sum(drivers, stats -> stats.out().datagrams()))
          .with(Mark.BURSTS, () -> sum(drivers, stats -> stats.out().bursts()))
          .serve();
    }
  }

  static long sum(NettyDrivers drivers, ToLongFunction<DriverStats> figure) {
    return drivers.all().stream().mapToLong(driver -> figure.applyAsLong(driver.stats())).sum();
  }

  /**
   * One after the other, and a word on each, so that half-open ones do not meet the receiver's
   * bound on them; then all at once.
   */
  private void connectNext(InetSocketAddress to) {
    NettyDriver driver = drivers.next();
    ConnectionListener first =
        new ConnectionListener() {
          @Override
          public void onConnected(LedbatConnection connection) {
            Member member = new Member(driver, connection);
            connection.setListener(member);
            connection.write(ByteBuffer.allocate(Long.BYTES), driver.nowMicros());
            starts.add(() -> driver.execute((endpoint, now) -> member.fill()));
            if (starts.size() < wanted) {
              connectNext(to);
            } else {
              System.out.println("CONNECTED");
              starts.forEach(Runnable::run);
            }
          }

          @Override
          public void onClosed(LedbatConnection connection, CloseReason reason) {
            System.out.println("FAILED connection " + starts.size() + ": " + reason);
          }
        };
    driver.execute((endpoint, now) -> endpoint.connect(to, first, now));
  }

  /** One of the connections; what it sends is the same for all and never changes. */
  private final class Member implements ConnectionListener {
    private final NettyDriver driver;
    private final LedbatConnection connection;
    private final ByteBuffer chunk = CONTENT.duplicate();

    Member(NettyDriver driver, LedbatConnection connection) {
      this.driver = driver;
      this.connection = connection;
    }

    void fill() {
      while (true) {
        int taken = connection.write(chunk.clear(), driver.nowMicros());
        meter.add(taken);
        if (taken < CHUNK_BYTES) {
          return;
        }
      }
    }

    @Override
    public void onWritable(LedbatConnection writable) {
      fill();
    }

    @Override
    public void onClosed(LedbatConnection closed, CloseReason reason) {
      System.out.println("FAILED a connection ended: " + reason);
    }
  }
}
