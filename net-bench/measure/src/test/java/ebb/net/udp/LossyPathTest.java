package ebb.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.EbbException;
import ebb.core.rand.SeededRandom;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.tcp.TcpLoop;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Datagrams through a relay that loses, repeats and damages them. */
class LossyPathTest {
  private static final long WAIT_SECONDS = 60;

  /** Passes datagrams between one client and a server; 15% of either way are lost or repeated. */
  private static final class Relay implements AutoCloseable {
    private final DatagramSocket outside;
    private final DatagramSocket inside;
    private final SeededRandom random = new SeededRandom(6);
    private final boolean damaging;
    private volatile InetSocketAddress client;
    private volatile boolean dead;

    Relay(InetSocketAddress server, boolean damaging) throws IOException {
      this.damaging = damaging;
      outside = new DatagramSocket(0, InetAddress.getLoopbackAddress());
      inside = new DatagramSocket(0, InetAddress.getLoopbackAddress());
      pump(outside, packet -> send(inside, packet, server));
      pump(inside, packet -> send(outside, packet, client));
    }

    InetSocketAddress address() {
      return (InetSocketAddress) outside.getLocalSocketAddress();
    }

    private interface Sink {
      void take(DatagramPacket packet) throws IOException;
    }

    private void pump(DatagramSocket from, Sink to) {
      Thread thread =
          new Thread(
              () -> {
                byte[] buffer = new byte[65_536];
                try {
                  while (true) {
                    DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                    from.receive(packet);
                    if (from == outside) {
                      client = (InetSocketAddress) packet.getSocketAddress();
                    }
                    to.take(packet);
                  }
                } catch (IOException closed) {
                  return;
                }
              },
              "relay");
      thread.setDaemon(true);
      thread.start();
    }

    private synchronized void send(DatagramSocket from, DatagramPacket packet, InetSocketAddress to)
        throws IOException {
      if (dead) {
        return;
      }
      int fate = (int) Math.floorMod(random.nextLong(), 100L);
      byte[] bytes = packet.getData();
      if (damaging && packet.getLength() > 200 && fate < 50) {
        bytes[100] ^= 1;
      } else if (fate < 15 && !damaging) {
        return;
      }
      DatagramPacket copy = new DatagramPacket(bytes, packet.getLength(), to);
      from.send(copy);
      if (fate >= 85 && !damaging) {
        from.send(copy);
      }
    }

    @Override
    public void close() {
      outside.close();
      inside.close();
    }
  }

  /** The time of this process, and hours that it has not seen. */
  private static final class LeapingClock implements MicroClock {
    private final AtomicLong ahead = new AtomicLong();

    @Override
    public long nowMicros() {
      return System.nanoTime() / 1_000 + ahead.get();
    }
  }

  private record Ends(FlowEnd sender, FlowEnd receiver) {}

  private interface Measure {
    void take(Ends ends) throws Exception;
  }

  private static void over(TestSpec spec, boolean damaging, Measure measure) throws Exception {
    MicroClock clock = MicroClock.system();
    Token token = Token.fresh();
    CompletableFuture<FlowEnd> receiver = new CompletableFuture<>();
    try (TcpLoop loop = new TcpLoop()) {
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      UdpServer server = UdpServer.bind(loop, any, () -> {});
      loop.loop()
          .submit(() -> server.open(token, spec, clock, (end, down) -> receiver.complete(end)));
      try (Relay relay = new Relay(server.localAddress(), damaging);
          UdpClientFlow flow =
              new UdpClientFlow(
                  loop,
                  any,
                  relay.address(),
                  spec,
                  token,
                  0,
                  true,
                  clock,
                  new Latencies(),
                  60_000)) {
        FlowEnd sender = flow.joined().get(WAIT_SECONDS, TimeUnit.SECONDS);
        sender.start();
        sender.ended().get(WAIT_SECONDS, TimeUnit.SECONDS);
        measure.take(new Ends(sender, receiver.get(WAIT_SECONDS, TimeUnit.SECONDS)));
      }
    }
  }

  private static TestSpec spec(Mode mode, long amount, long rate) {
    return new TestSpec(Protocol.UDP, mode, true, false, 1, 1_000, rate, amount, 0, 0, 0, true);
  }

  @Test
  void stopAndWaitDeliversEveryMessageOnceThroughLossAndRepetition() throws Exception {
    over(
        spec(Mode.STOP_AND_WAIT, 40_000, 0),
        false,
        ends -> {
          assertThat(ends.receiver.tally().counts().messages()).isEqualTo(40);
          assertThat(ends.receiver.tally().counts().bytes()).isEqualTo(40_000);
          assertThat(ends.receiver.tally().counts().corrupt()).isZero();
          assertThat(ends.receiver.tally().counts().duplicates()).isPositive();
          assertThat(ends.sender.tally().counts().messages()).isEqualTo(40);
          assertThat(ends.sender.tally().counts().retransmitted()).isPositive();
        });
  }

  @Test
  void aPeerThatIsSilentForFifteenSecondsIsGivenUpWithWhatWasMeasured() throws Exception {
    LeapingClock clock = new LeapingClock();
    Token token = Token.fresh();
    TestSpec spec = spec(Mode.STOP_AND_WAIT, 1L << 40, 0);
    try (TcpLoop loop = new TcpLoop()) {
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      UdpServer server = UdpServer.bind(loop, any, () -> {});
      loop.loop().submit(() -> server.open(token, spec, clock, (end, down) -> {}));
      try (Relay relay = new Relay(server.localAddress(), false);
          UdpClientFlow flow =
              new UdpClientFlow(
                  loop,
                  any,
                  relay.address(),
                  spec,
                  token,
                  0,
                  true,
                  clock,
                  new Latencies(),
                  60_000)) {
        FlowEnd sender = flow.joined().get(WAIT_SECONDS, TimeUnit.SECONDS);
        sender.start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        while (sender.tally().counts().messages() < 3 && System.nanoTime() < deadline) {
          Thread.onSpinWait();
        }
        relay.dead = true;
        clock.ahead.set(15_000_001);
        assertThat(sender.ended())
            .failsWithin(WAIT_SECONDS, TimeUnit.SECONDS)
            .withThrowableOfType(ExecutionException.class)
            .withCauseInstanceOf(EbbException.class)
            .withMessageContaining("the peer is gone: no acknowledgement for 15 s");
        assertThat(sender.tally().counts().messages()).isGreaterThanOrEqualTo(3);
      }
    }
  }

  @Test
  void whatWasDamagedOnTheWayIsSeen() throws Exception {
    over(
        spec(Mode.STOP_AND_WAIT, 50_000, 0),
        true,
        ends -> {
          assertThat(ends.receiver.tally().counts().messages()).isEqualTo(50);
          assertThat(ends.receiver.tally().counts().corrupt()).isBetween(5L, 45L);
        });
  }
}
