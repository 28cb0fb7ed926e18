package ebb.selfbench.side;

import ebb.core.rand.UnpredictableRandom;
import ebb.ledbat.connection.ConnectionListener;
import ebb.ledbat.connection.LedbatConnection;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDrivers;
import ebb.selfbench.process.Mark;
import ebb.selfbench.process.Meter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** The receiving process of many connections at once: counts all of them and each of them. */
final class CrowdSink implements EndpointListener {
  private static final int READ_BYTES = 1 << 18;

  private final Meter meter;
  private final List<Member> members;
  private final AtomicReference<NettyDrivers> drivers;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_BYTES);

  /** One for each loop. */
  private CrowdSink(Meter meter, List<Member> members, AtomicReference<NettyDrivers> drivers) {
    this.meter = meter;
    this.members = members;
    this.drivers = drivers;
  }

  /** Arguments: address, mode, datagram size, loops, connections. */
  public static void main(String[] args) throws IOException {
    Meter meter = new Meter();
    List<Member> members = new CopyOnWriteArrayList<>();
    AtomicReference<NettyDrivers> bound = new AtomicReference<>();
    try (NettyDrivers drivers =
        NettyDrivers.bind(
            BenchMode.valueOf(args[1]).config(new InetSocketAddress(args[0], 0)),
            CrowdSource.config(Integer.parseInt(args[2]), Integer.parseInt(args[3])),
            new UnpredictableRandom(),
            loop -> new CrowdSink(meter, members, bound))) {
      bound.set(drivers);
      System.out.println("PORT " + drivers.localAddress().getPort());
      meter
          .with(Mark.PACKETS, () -> CrowdSource.sum(drivers, stats -> stats.in().datagrams()))
          .with(Mark.BURSTS, () -> CrowdSource.sum(drivers, stats -> stats.in().bursts()))
          .with("slowest_bytes", () -> slowestSinceLastMark(members))
          .with("connections", () -> (long) members.size())
          .with(
              "handed_over", () -> CrowdSource.sum(drivers, stats -> stats.handOver().datagrams()))
          .serve();
    }
  }

  private static long slowestSinceLastMark(List<Member> members) {
    return members.stream().mapToLong(Member::takeSinceLastMark).min().orElse(0);
  }

  @Override
  public void onAccepted(LedbatConnection connection) {
    Member member = new Member();
    members.add(member);
    connection.setListener(member);
  }

  /** One of the connections. */
  private final class Member implements ConnectionListener {
    /** Written by its loop. */
    private volatile long bytes;

    /** Of whoever answers marks. */
    private long marked;

    long takeSinceLastMark() {
      long now = bytes;
      long since = now - marked;
      marked = now;
      return since;
    }

    @Override
    public void onReadable(LedbatConnection connection) {
      NettyDrivers current = drivers.get();
      if (current == null) {
        return;
      }
      long total = bytes;
      while (true) {
        scratch.clear();
        int n = connection.read(scratch, current.all().get(0).nowMicros());
        if (n == 0) {
          bytes = total;
          return;
        }
        total += n;
        meter.add(n);
      }
    }
  }
}
