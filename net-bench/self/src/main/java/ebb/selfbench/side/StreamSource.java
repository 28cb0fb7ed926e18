package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** The sending process of one endless LEDBAT stream, whose send buffer is kept full. */
final class StreamSource implements ConnectionListener {
  private static final int CHUNK_BYTES = 1 << 18;

  private final Meter meter = new Meter();
  private final AtomicLong retransmitted = new AtomicLong();
  private final NettyDriver driver;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
  private final StreamPattern pattern = new StreamPattern();
  private long seen;

  private StreamSource(NettyDriver driver) {
    this.driver = driver;
  }

  /** Arguments: address, mode, datagram size, the receiver's address and port. */
  public static void main(String[] args) throws IOException {
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            Sides.config(Integer.parseInt(args[2])),
            new UnpredictableRandom(),
            new EndpointListener() {})) {
      StreamSource source = new StreamSource(driver);
      InetSocketAddress to = new InetSocketAddress(args[3], Integer.parseInt(args[4]));
      driver.execute((endpoint, now) -> endpoint.connect(to, source, now));
      source
          .meter
          .with(Mark.PACKETS, () -> driver.stats().out().datagrams())
          .with(Mark.BURSTS, () -> driver.stats().out().bursts())
          .with("retransmitted_bytes", source.retransmitted::get)
          .serve();
    }
  }

  @Override
  public void onConnected(LedbatConnection connection) {
    System.out.println("CONNECTED");
    fill(connection);
  }

  @Override
  public void onWritable(LedbatConnection connection) {
    fill(connection);
  }

  private void fill(LedbatConnection connection) {
    long now = driver.nowMicros();
    while (true) {
      pattern.fill(chunk);
      int taken = connection.write(chunk, now);
      pattern.advance(taken);
      meter.add(taken);
      if (taken < CHUNK_BYTES) {
        return;
      }
    }
  }

  @Override
  public void onAcked(LedbatConnection connection) {
    // A snapshot for every burst would be work that no application does.
    if (meter.bytes() >> 26 != seen) {
      seen = meter.bytes() >> 26;
      ConnectionStats stats = connection.stats(driver.nowMicros());
      retransmitted.lazySet(stats.bytesRetransmitted());
    }
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    System.out.println("FAILED connection ended: " + reason);
  }
}
