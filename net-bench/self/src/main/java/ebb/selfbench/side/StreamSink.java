package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** The receiving process of one endless LEDBAT stream: checks what comes, and counts it. */
final class StreamSink implements EndpointListener, ConnectionListener {
  private static final int READ_BYTES = 1 << 18;

  private final Meter meter = new Meter();
  private final AtomicReference<NettyDriver> driver = new AtomicReference<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);
  private final StreamPattern pattern = new StreamPattern();
  private final boolean verify;

  private StreamSink(boolean verify) {
    this.verify = verify;
  }

  /** Arguments: address, mode, datagram size, whether the stream is a {@link StreamPattern}. */
  public static void main(String[] args) throws IOException {
    StreamSink sink = new StreamSink(Boolean.parseBoolean(args[3]));
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            Sides.config(Integer.parseInt(args[2])),
            new UnpredictableRandom(),
            sink)) {
      sink.driver.set(driver);
      System.out.println("PORT " + driver.localAddress().getPort());
      sink.meter
          .with(Mark.PACKETS, () -> driver.stats().in().datagrams())
          .with(Mark.BURSTS, () -> driver.stats().in().bursts())
          .serve();
    }
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    connection.setListener(this);
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    NettyDriver current = driver.get();
    if (current == null) {
      return;
    }
    while (true) {
      scratch.clear();
      int n = connection.read(scratch, current.nowMicros());
      if (n == 0) {
        return;
      }
      scratch.flip();
      check(connection, current);
      meter.add(n);
    }
  }

  private void check(LedbatConnection connection, NettyDriver current) {
    if (!verify) {
      return;
    }
    try {
      pattern.check(scratch);
    } catch (IllegalStateException corrupt) {
      System.out.println("FAILED " + corrupt.getMessage());
      connection.abort(current.nowMicros());
    }
  }
}
