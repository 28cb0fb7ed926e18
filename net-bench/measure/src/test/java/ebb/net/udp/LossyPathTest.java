package ebb.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.EbbException;
import ebb.core.rand.SeededRandom;
import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.Token;
import ebb.net.echo.EchoCounts;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.echo.MarkLog;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.ServerPlace;
import ebb.net.mechanism.ServerSession;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Datagrams through a relay that loses, repeats and damages them. */
class LossyPathTest {
  private static final long WAIT_SECONDS = 60;
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** Passes datagrams between one client and a server; 15% of either way are lost or repeated. */
  private static final class Relay implements AutoCloseable {
    private final AtomicLong gone = new AtomicLong();
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
        gone.incrementAndGet();
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

  private record Ends(FlowEnd sender, FlowEnd receiver, Relay relay) {}

  private interface Measure {
    void take(Ends ends) throws Exception;
  }

  /** What the client's flow knows. */
  private record Surroundings(
      NetLoop loop, TestSpec spec, Token token, MicroClock clock, InetSocketAddress server)
      implements ClientRun {
    @Override
    public @Nullable InetSocketAddress bound() {
      return null;
    }

    @Override
    public InetAddress localAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public long connectTimeoutMillis() {
      return 60_000;
    }

    @Override
    public Latencies latencies() {
      return new Latencies();
    }

    @Override
    public <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
      return maker.get();
    }
  }

  private record Session(Surroundings of, CompletableFuture<FlowEnd> receiver)
      implements ServerSession {
    @Override
    public Token token() {
      return of.token;
    }

    @Override
    public TestSpec spec() {
      return of.spec;
    }

    @Override
    public MicroClock clock() {
      return of.clock;
    }

    @Override
    public boolean add(FlowEnd end, boolean down) {
      return receiver.complete(end);
    }
  }

  private record Place(NetLoop loop, CompletableFuture<ServerSession> only) implements ServerPlace {
    @Override
    public InetSocketAddress local() {
      return ANY;
    }

    @Override
    public boolean anyPort() {
      return true;
    }

    @Override
    public Optional<ServerSession> session(Token token, InetSocketAddress from) {
      return Optional.ofNullable(only.getNow(null));
    }

    @Override
    public void stranger() {}
  }

  /** A sender and a receiver with a relay between them. */
  private static void with(TestSpec spec, MicroClock clock, boolean damaging, Measure measure)
      throws Exception {
    with(spec, clock, damaging, new EchoLog(1_000_000, false, reply -> {}), measure);
  }

  private static void with(
      TestSpec spec, MicroClock clock, boolean damaging, EchoLog echoes, Measure measure)
      throws Exception {
    with(spec, clock, damaging, echoes, null, measure);
  }

  private static void with(
      TestSpec spec,
      MicroClock clock,
      boolean damaging,
      EchoLog echoes,
      @Nullable MarkLog marks,
      Measure measure)
      throws Exception {
    CompletableFuture<FlowEnd> receiver = new CompletableFuture<>();
    CompletableFuture<ServerSession> only = new CompletableFuture<>();
    try (NetLoop loop = new NetLoop()) {
      UdpAcceptor acceptor = UdpAcceptor.bind(new Place(loop, only), ANY);
      InetSocketAddress address = new InetSocketAddress(ANY.getAddress(), acceptor.port());
      try (Relay relay = new Relay(address, damaging)) {
        Surroundings run = new Surroundings(loop, spec, Token.fresh(), clock, relay.address());
        only.complete(new Session(run, receiver));
        loop.loop().submit(() -> acceptor.open(only.join())).sync();
        try (UdpOpener opener = new UdpOpener(run, echoes, marks)) {
          FlowEnd sender =
              CompletableFuture.supplyAsync(() -> opener.open(0, true), loop.loop())
                  .get(WAIT_SECONDS, TimeUnit.SECONDS)
                  .get(WAIT_SECONDS, TimeUnit.SECONDS);
          measure.take(new Ends(sender, receiver.get(WAIT_SECONDS, TimeUnit.SECONDS), relay));
        }
      }
    }
  }

  private static void over(TestSpec spec, boolean damaging, Measure measure) throws Exception {
    with(
        spec,
        MicroClock.system(),
        damaging,
        ends -> {
          ends.sender.start();
          ends.sender.ended().get(WAIT_SECONDS, TimeUnit.SECONDS);
          measure.take(ends);
        });
  }

  private static TestSpec spec(Mode mode, long amount, long rate) {
    return TestSpec.of("udp", mode)
        .messageBytes(1_000)
        .bitsPerSecond(rate)
        .amountBytes(amount)
        .build();
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
    with(
        spec(Mode.STOP_AND_WAIT, 1L << 40, 0),
        clock,
        false,
        ends -> {
          FlowEnd sender = ends.sender;
          sender.start();
          long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
          while (sender.tally().counts().messages() < 3 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
          }
          ends.relay.dead = true;
          clock.ahead.set(15_000_001);
          assertThat(sender.ended())
              .failsWithin(WAIT_SECONDS, TimeUnit.SECONDS)
              .withThrowableOfType(ExecutionException.class)
              .withCauseInstanceOf(EbbException.class)
              .withMessageContaining("the peer is gone: no acknowledgement for 15 s");
          assertThat(sender.tally().counts().messages()).isGreaterThanOrEqualTo(3);
        });
  }

  @Test
  void echoesThatAreNotAnsweredAreLostWithoutHoldingUpTheOthers() throws Exception {
    EchoLog echoes = new EchoLog(3_000_000, false, reply -> {});
    TestSpec spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(100)
            .amountBytes(100 * 300)
            .parameter(EchoSchedule.INTERVAL, 1_000)
            .build();
    with(
        spec,
        MicroClock.system(),
        false,
        echoes,
        ends -> {
          long goneBefore = ends.relay.gone.get(); // Of the handshake.
          ends.sender.start();
          ends.sender.ended().get(WAIT_SECONDS, TimeUnit.SECONDS);
          EchoCounts counts = echoes.counts();
          long there = counts.transmitted() - ends.receiver.tally().counts().messages();
          assertThat(counts.transmitted()).isEqualTo(300);
          assertThat(counts.received() + counts.lost()).isEqualTo(300);
          assertThat(there).isPositive();
          assertThat(counts.lost()).isGreaterThan(there);
          // An echo of which the relay made two is lost by two losses only.
          assertThat(counts.lost()).isBetween(50L, ends.relay.gone.get() - goneBefore);
          assertThat(counts.duplicates()).isPositive();
          assertThat(counts.corrupt()).isZero();
          assertThat(echoes.roundTrips().count()).isEqualTo(counts.received());
        });
  }

  @Test
  void marksThatARelayDoesNotCarryComeAsBestEffort() throws Exception {
    MarkLog marks = new MarkLog(List.of(0xb8, 0x02));
    CompletableFuture<Void> enough = new CompletableFuture<>();
    EchoLog echoes =
        new EchoLog(
            60_000_000,
            false,
            reply -> {
              if (marks.counts().stream().allMatch(mark -> mark.answered() > 0)) {
                enough.complete(null);
              }
            });
    TestSpec spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(64)
            .maxMicros(600_000_000)
            .parameter(EchoSchedule.INTERVAL, 10_000)
            .build();
    with(
        spec,
        MicroClock.system(),
        false,
        echoes,
        marks,
        ends -> {
          ends.sender.start();
          enough.get(WAIT_SECONDS, TimeUnit.SECONDS);
          ends.sender.abort();
        });
    // Its sockets are Java's, and set no mark. Elsewhere than on Linux nothing is seen.
    int seen = Epoll.isAvailable() ? 0 : MarkLog.UNSEEN;
    assertThat(marks.counts())
        .hasSize(2)
        .allSatisfy(
            mark -> {
              assertThat(mark.there()).containsOnlyKeys(seen);
              assertThat(mark.back()).containsOnlyKeys(seen);
              assertThat(mark.kept()).isFalse();
            });
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
