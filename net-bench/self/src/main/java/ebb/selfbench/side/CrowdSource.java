package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The sending process of many connections at once, all of one endpoint, all kept full. */
final class CrowdSource implements ConnectionListener {
  private static final int CHUNK_BYTES = 1 << 16;

  /** All connections' buffers together are half of what an endpoint may hold by default. */
  private static final int BUFFER_BYTES = 128 << 10;

  private final Meter meter = new Meter();
  private final NettyDriver driver;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final int wanted;
  private final List<LedbatConnection> connections = new ArrayList<>();

  private CrowdSource(NettyDriver driver, int wanted) {
    this.driver = driver;
    this.wanted = wanted;
  }

  static LedbatConfig config(int datagramBytes) {
    return Sides.config(datagramBytes).toBuilder()
        .sendBufferBytes(BUFFER_BYTES)
        .receiveBufferBytes(BUFFER_BYTES)
        .build();
  }

  /** Arguments: address, mode, datagram size, connections, the receiver's address and port. */
  public static void main(String[] args) throws IOException {
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            config(Integer.parseInt(args[2])),
            new UnpredictableRandom(),
            new EndpointListener() {})) {
      CrowdSource source = new CrowdSource(driver, Integer.parseInt(args[3]));
      InetSocketAddress to = new InetSocketAddress(args[4], Integer.parseInt(args[5]));
      source.connectNext(to);
      source
          .meter
          .with(Mark.PACKETS, () -> driver.stats().out().datagrams())
          .with(Mark.BURSTS, () -> driver.stats().out().bursts())
          .serve();
    }
  }

  /**
   * One after the other, and a word on each, so that half-open ones do not meet the receiver's
   * bound on them; then all at once.
   */
  private void connectNext(InetSocketAddress to) {
    ConnectionListener first =
        new ConnectionListener() {
          @Override
          public void onConnected(LedbatConnection connection) {
            connection.setListener(CrowdSource.this);
            chunk.clear().limit(Long.BYTES);
            connection.write(chunk, driver.nowMicros());
            connections.add(connection);
            if (connections.size() < wanted) {
              connectNext(to);
            } else {
              System.out.println("CONNECTED");
              connections.forEach(CrowdSource.this::fill);
            }
          }

          @Override
          public void onClosed(LedbatConnection connection, CloseReason reason) {
            System.out.println("FAILED connection " + connections.size() + ": " + reason);
          }
        };
    driver.execute((endpoint, now) -> endpoint.connect(to, first, now));
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    fill(connection);
  }

  private void fill(LedbatConnection connection) {
    while (true) {
      chunk.clear();
      int taken = connection.write(chunk, driver.nowMicros());
      meter.add(taken);
      if (taken < CHUNK_BYTES) {
        return;
      }
    }
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    System.out.println("FAILED a connection ended: " + reason);
  }
}
