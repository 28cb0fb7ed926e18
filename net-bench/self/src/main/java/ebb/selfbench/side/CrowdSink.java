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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** The receiving process of many connections at once: counts all of them and each of them. */
final class CrowdSink implements EndpointListener {
  private static final int READ_BYTES = 1 << 18;

  private final Meter meter = new Meter();
  private final AtomicReference<NettyDriver> driver = new AtomicReference<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);
  // On the driver's loop only.
  private final List<Member> members = new ArrayList<>();

  private CrowdSink() {}

  /** Arguments: address, mode, datagram size, number of connections. */
  public static void main(String[] args) throws IOException {
    CrowdSink sink = new CrowdSink();
    try (NettyDriver driver =
        NettyDriver.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            CrowdSource.config(Integer.parseInt(args[2])),
            new UnpredictableRandom(),
            sink)) {
      sink.driver.set(driver);
      System.out.println("PORT " + driver.localAddress().getPort());
      sink.meter
          .with(Mark.PACKETS, () -> driver.stats().in().datagrams())
          .with(Mark.BURSTS, () -> driver.stats().in().bursts())
          .with("slowest_bytes", () -> sink.slowestSinceLastMark(driver))
          .with("connections", () -> sink.onLoop(driver, () -> (long) sink.members.size()))
          .serve();
    }
  }

  private interface Figure {
    long get();
  }

  private long onLoop(NettyDriver current, Figure figure) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    current.execute((endpoint, now) -> result.complete(figure.get()));
    return result.join();
  }

  private long slowestSinceLastMark(NettyDriver current) {
    return onLoop(
        current, () -> members.stream().mapToLong(Member::takeSinceLastMark).min().orElse(0));
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    Member member = new Member();
    members.add(member);
    connection.setListener(member);
  }

  /** One of the connections. */
  private final class Member implements ConnectionListener {
    private long bytes;
    private long marked;

    long takeSinceLastMark() {
      long since = bytes - marked;
      marked = bytes;
      return since;
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
        bytes += n;
        meter.add(n);
      }
    }
  }
}
