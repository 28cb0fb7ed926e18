package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.CpuTime;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.DriverStats;
import ebb.ledbat.netty.NettyDriver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** The receiving process of a transfer: reads everything that arrives and throws it away. */
final class TransferSink implements EndpointListener, ConnectionListener {
  private static final int READ_BYTES = 1 << 18;

  private final AtomicReference<NettyDriver> driver = new AtomicReference<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);
  private long bytes;
  private long cpuAtStart;

  private TransferSink() {}

  /** Arguments: mode, datagram size. */
  public static void main(String[] args) throws IOException {
    TransferSink sink = new TransferSink();
    int datagram = Integer.parseInt(args[1]);
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[0]).config(),
            Sides.config(datagram),
            new UnpredictableRandom(),
            sink)) {
      sink.driver.set(driver);
      System.out.println("PORT " + driver.localAddress().getPort());
      while (System.in.read() >= 0) {
        // Ends with the parent.
      }
    }
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    bytes = 0;
    cpuAtStart = CpuTime.nanos();
    connection.setListener(this);
  }

  @Override
  public void onReadable(LedbatConnection connection) {
    NettyDriver current = driver.get();
    if (current == null) {
      return;
    }
    for (int n = read(connection, current); n > 0; n = read(connection, current)) {
      bytes += n;
    }
  }

  private int read(LedbatConnection connection, NettyDriver current) {
    scratch.clear();
    return connection.read(scratch, current.nowMicros());
  }

  @Override
  public void onPeerFinished(LedbatConnection connection) {
    onReadable(connection);
    NettyDriver current = driver.get();
    if (current != null) {
      connection.finish(current.nowMicros());
      DriverStats stats = current.stats();
      System.out.println(
          "RECEIVED "
              + bytes
              + " "
              + (CpuTime.nanos() - cpuAtStart)
              + " "
              + stats.in().bursts()
              + " "
              + stats.in().datagrams()
              + " "
              + stats.out().datagrams());
    }
  }

  @Override
  public void onClosed(LedbatConnection connection, CloseReason reason) {
    if (reason != CloseReason.FINISHED) {
      System.err.println("receiver: connection ended: " + reason);
    }
  }
}
