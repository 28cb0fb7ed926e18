package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.Mechanisms;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.NetKey;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.Token;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.Mechanism;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import io.netty.channel.epoll.Epoll;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Runs against a server in this process, over loopback. */
class NetRunTest {
  private static final long WAIT_SECONDS = 60;
  private static final long AMOUNT = 1_000_001;
  private static final long LOOPBACK_SEGMENT_BYTES = 65_483;
  private static final byte[] KEY = new byte[32];
  private static final Mechanism TCP = Mechanisms.get("tcp");
  private static final Mechanism UDP = Mechanisms.get("udp");
  private static final List<Mechanism> OWN = List.of(TCP, UDP, Mechanisms.get("ledbat"));

  private static final class Reports implements NetServer.Listener {
    final LinkedBlockingQueue<SessionReport> ended = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<InetSocketAddress> begun = new LinkedBlockingQueue<>();

    @Override
    public void onSession(InetSocketAddress client) {
      begun.add(client);
    }

    @Override
    public void onSessionEnd(SessionReport report) {
      ended.add(report);
    }

    @Override
    public void onRefused(InetSocketAddress client, Refused refused) {}

    SessionReport next() throws InterruptedException {
      SessionReport report = ended.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(report).isNotNull();
      return report;
    }
  }

  private static NetServer server(ServerLimits limits, NetServer.Listener listener)
      throws Exception {
    return NetServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), limits, listener);
  }

  private static TestSpec amount(Mechanism mechanism, Mode mode, boolean up, boolean down) {
    // UDP streams would overrun a busy machine's receiver: 100 Mbit/s.
    boolean mayLose = mechanism.isDatagrams() && mode == Mode.STREAMING;
    return TestSpec.of(mechanism.name(), mode)
        .directions(up, down)
        .streams(2)
        .messageBytes(mode == Mode.STOP_AND_WAIT ? 40_000 : 1_000)
        .bitsPerSecond(mayLose ? 100_000_000 : 0)
        .amountBytes(AMOUNT)
        .build();
  }

  private static TestSpec timed(Mechanism mechanism, Mode mode, long micros, long rate) {
    return TestSpec.of(mechanism.name(), mode)
        .messageBytes(1_000)
        .bitsPerSecond(rate)
        .maxMicros(micros)
        .build();
  }

  private static NetPlan.Builder plan(NetServer server, TestSpec spec) {
    return NetPlan.of(server.localAddress(), Mechanisms.get(spec.protocol()), spec)
        .intervalMicros(100_000)
        .durationMicros(spec.maxMicros())
        .connectTimeoutMillis(30_000);
  }

  private static NetPlan plan(NetServer server, TestSpec spec, NetKey key) {
    return plan(server, spec).key(key).build();
  }

  /** What it found, or what it was refused with. */
  private static RunOutcome await(NetRun run) throws Exception {
    try {
      return run.outcome().get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof EbbException known ? known : failed;
    }
  }

  private static RunOutcome run(NetPlan plan) throws Exception {
    try (RunLoops loops = new RunLoops()) {
      return await(NetRun.start(plan, loops, new Latencies(), sample -> {}));
    }
  }

  @Test
  void aStreamThatItsTimeEndsWaitsForNothingAndCountsWhatCame() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports())) {
      for (Mechanism protocol : List.of(TCP, Mechanisms.get("ledbat"))) {
        TestSpec spec =
            timed(protocol, Mode.STREAMING, 300_000, 0).toBuilder()
                .directions(true, true)
                .streams(8)
                .build();
        RunOutcome outcome = run(plan(server, spec, null));
        assertThat(outcome.failure()).as(spec.name()).isNull();
        assertThat(outcome.disagreements()).as(spec.name()).isEmpty();
        for (boolean up : new boolean[] {true, false}) {
          RunOutcome.BothEnds ends = outcome.measured(up);
          assertThat(ends.received().bytes()).as(spec.name()).isPositive();
          assertThat(ends.sent().bytes()).as(spec.name()).isEqualTo(ends.received().bytes());
          long told = outcome.samples().stream().mapToLong(s -> s.arrivedBytes(up)).sum();
          // What the server got last may not have been acknowledged when its flows were dropped;
          // the words before the bytes of a flow are acknowledged, too. What waited behind a hole
          // had come, and was dropped. A kernel without room throws away what waits behind a hole
          // and gets it anew, which counts twice (BehindHoles): seen was a segment a stream.
          long twice = protocol.equals(TCP) ? 8 * 8 * LOOPBACK_SEGMENT_BYTES : 0;
          long most = ends.received().bytes() + 8 * 64 + outcome.droppedBytes() + twice;
          assertThat(told).as(spec.name()).isBetween(1L, most);
        }
      }
    }
  }

  @Test
  void everyMechanismMovesTheAmountAndBothEndsCountTheSame() throws Exception {
    Reports reports = new Reports();
    try (NetServer server = server(ServerLimits.NONE, reports)) {
      for (Mechanism protocol : OWN) {
        for (Mode mode : List.of(Mode.STREAMING, Mode.STOP_AND_WAIT)) {
          TestSpec spec = amount(protocol, mode, true, true);
          RunOutcome outcome = run(plan(server, spec, null));
          assertThat(outcome.failure()).as(spec.name()).isNull();
          long messages = 2 * ((AMOUNT + spec.messageBytes() - 1) / spec.messageBytes());
          assertThat(outcome.measured(true).sent().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
          assertThat(outcome.measured(true).sent().messages()).as(spec.name()).isEqualTo(messages);
          assertThat(outcome.measured(false).sent().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
          boolean mayLose = protocol.isDatagrams() && mode == Mode.STREAMING;
          if (!mayLose) {
            assertThat(outcome.disagreements()).as(spec.name()).isEmpty();
            assertThat(outcome.measured(true).received().bytes())
                .as(spec.name())
                .isEqualTo(2 * AMOUNT);
            assertThat(outcome.measured(true).received().messages())
                .as(spec.name())
                .isEqualTo(messages);
            assertThat(outcome.measured(false).received().bytes())
                .as(spec.name())
                .isEqualTo(2 * AMOUNT);
          }
          assertThat(outcome.measured(true).received().corrupt()).as(spec.name()).isZero();
          assertThat(outcome.measured(false).received().corrupt()).as(spec.name()).isZero();
          if (protocol.isDatagrams()) {
            assertOneWay(outcome, true);
            assertOneWay(outcome, false);
          }
          if (mode == Mode.STOP_AND_WAIT) {
            assertThat(outcome.latency().count()).as(spec.name()).isEqualTo(messages);
          }
          SessionReport report = reports.next();
          assertThat(report.complete()).as(spec.name()).isTrue();
          assertThat(report.received())
              .as(spec.name())
              .isEqualTo(outcome.measured(true).received());
        }
      }
      assertThat(server.strangers()).isZero();
    }
  }

  /** Both ends have the same clock here: what took less than no time was within the error told. */
  private static void assertOneWay(RunOutcome outcome, boolean up) {
    OneWay oneWay = outcome.oneWay(up);
    String name = outcome.plan().spec().name();
    assertThat(oneWay.isKnown()).as(name).isTrue();
    // Two microseconds are what truncation can cost.
    assertThat(oneWay.minMicros() + outcome.clocks().errorMicros() + 2).as(name).isNotNegative();
    assertThat(oneWay.maxMicros()).as(name).isLessThan(TimeUnit.SECONDS.toMicros(WAIT_SECONDS));
  }

  @Test
  void aTimedRunEndsInTimeAndItsWarmUpIsLeftOut() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports())) {
      TestSpec spec = timed(TCP, Mode.STREAMING, 600_000, 8_000_000);
      NetPlan plan = plan(server, spec).warmUpMicros(300_000).durationMicros(300_000).build();
      RunOutcome outcome = run(plan);
      assertThat(outcome.failure()).isNull();
      assertThat(outcome.measuredMicros()).isGreaterThanOrEqualTo(300_000);
      assertThat(outcome.wholeUp().sent().bytes())
          .isGreaterThan(outcome.measured(true).sent().bytes());
      assertThat(outcome.samples()).anyMatch(RunSample::warmUp).anyMatch(s -> !s.warmUp());
      // The kernel can be asked through native epoll only.
      assertThat(outcome.samples().stream().flatMap(sample -> sample.flows().stream()))
          .anyMatch(flow -> flow.limits().isKnown() == Epoll.isAvailable());
      // 8 Mbit/s are a byte a microsecond, and the last sample comes after the last message.
      long wholeMicros = outcome.samples().get(outcome.samples().size() - 1).toMicros();
      assertThat(outcome.wholeUp().sent().bytes()).isLessThanOrEqualTo(wholeMicros + 1_000);
    }
  }

  @Test
  void theLastIntervalOfDatagramsEndsWithTheirSendingNotWithTheWaitForWhatIsUnderWay()
      throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports())) {
      TestSpec spec =
          TestSpec.of("udp", Mode.STREAMING)
              .messageBytes(1_000)
              .bitsPerSecond(2_000_000)
              .amountBytes(50_000)
              .build();
      RunOutcome outcome = run(plan(server, spec, null));
      assertThat(outcome.failure()).isNull();
      List<RunSample> samples = outcome.samples();
      RunSample last = samples.get(samples.size() - 1);
      assertThat(samples.stream().mapToLong(sample -> sample.arrivedBytes(true)).sum())
          .isEqualTo(50_000);
      assertThat(last.toMicros()).isEqualTo(outcome.measuredMicros());
      // The server says its last words when nothing has come for a while, and what they are about
      // was so when the last datagram came.
      RunSample.Report words = last.reports().get(last.reports().size() - 1);
      assertThat(words.receivedBytes()).isEqualTo(50_000);
      assertThat(words.atMicros()).isLessThan(MicroClock.system().nowMicros() - 250_000);
    }
  }

  @Test
  void aRunThatMovedNothingInItsTimeIsIncomplete() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        RunLoops loops = new RunLoops()) {
      // A message every 8,000 s: the first one goes in the warm-up.
      TestSpec spec = timed(TCP, Mode.STREAMING, 600_000_000, 1);
      NetPlan plan = plan(server, spec).warmUpMicros(300_000).build();
      CompletableFuture<RunSample> measured = new CompletableFuture<>();
      NetRun run =
          NetRun.start(
              plan,
              loops,
              new Latencies(),
              sample -> {
                if (!sample.warmUp()) {
                  measured.complete(sample);
                }
              });
      measured.get(WAIT_SECONDS, TimeUnit.SECONDS);
      run.finish();
      RunOutcome outcome = await(run);
      assertThat(outcome.failure()).isNotNull();
      assertThat(outcome.failure().exitCode()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(outcome.failure().getMessage())
          .matches("nothing arrived at the server in \\d+\\.\\d s");
    }
  }

  @Test
  void manyClientsAreServedAtOnceAndShareTheirLoops() throws Exception {
    int clients = 20;
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        RunLoops loops = new RunLoops()) {
      List<NetRun> runs = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Mechanism mechanism = OWN.get(i % 3);
        NetPlan plan = plan(server, timed(mechanism, Mode.STOP_AND_WAIT, 500_000, 0), null);
        runs.add(NetRun.start(plan, loops, new Latencies(), sample -> {}));
      }
      for (NetRun run : runs) {
        RunOutcome outcome = await(run);
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.measured(true).sent().messages()).isPositive();
        assertThat(outcome.disagreements()).isEmpty();
      }
    }
  }

  @Test
  void aServerWithAKeyServesOnlyWhoHasIt() throws Exception {
    NetKey key = NetKey.of(KEY);
    byte[] other = KEY.clone();
    other[31] = 1;
    TestSpec spec = amount(TCP, Mode.STREAMING, true, false);
    try (NetServer server =
        server(new ServerLimits(ServerLimits.DEFAULT_MAX_MICROS, 0, 10, key), new Reports())) {
      assertThat(run(plan(server, spec, key)).failure()).isNull();
      assertThatThrownBy(() -> run(plan(server, spec, null)))
          .isInstanceOfSatisfying(
              EbbException.class,
              refused -> {
                assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY);
                assertThat(refused).hasMessageContaining("--key-file");
              });
      assertThatThrownBy(() -> run(plan(server, spec, NetKey.of(other))))
          .isInstanceOfSatisfying(
              EbbException.class,
              refused -> {
                assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY);
                assertThat(refused).hasMessageContaining("the key is not this server's");
              });
    }
  }

  @Test
  void aServersBoundsAreNamedToWhoAsksForMore() throws Exception {
    ServerLimits limits = new ServerLimits(1_000_000, 10_000_000, 10, null);
    try (NetServer server = server(limits, new Reports())) {
      assertRefused(server, timed(UDP, Mode.STREAMING, 2_000_000, 1_000_000), "1.00 s");
      assertRefused(server, timed(UDP, Mode.STREAMING, 500_000, 0), "no bound");
      assertRefused(server, timed(UDP, Mode.STREAMING, 500_000, 20_000_000), "20.0 Mbit");
      RunOutcome allowed = run(plan(server, timed(UDP, Mode.STREAMING, 200_000, 1_000_000), null));
      assertThat(allowed.failure()).isNull();
    }
  }

  private static void assertRefused(NetServer server, TestSpec spec, String words) {
    assertThatThrownBy(() -> run(plan(server, spec, null)))
        .isInstanceOfSatisfying(
            EbbException.class,
            refused -> {
              assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY);
              assertThat(refused).hasMessageContaining(words);
            });
  }

  @Test
  void anInterruptedRunSaysWhatItHas() throws Exception {
    Reports reports = new Reports();
    try (NetServer server = server(ServerLimits.NONE, reports)) {
      TestSpec spec = timed(TCP, Mode.STREAMING, 600_000_000, 0);
      CompletableFuture<RunSample> first = new CompletableFuture<>();
      try (RunLoops loops = new RunLoops()) {
        NetRun run =
            NetRun.start(plan(server, spec, null), loops, new Latencies(), first::complete);
        first.get(WAIT_SECONDS, TimeUnit.SECONDS);
        run.interrupt();
        RunOutcome outcome = await(run);
        assertThat(outcome.failure()).isNotNull();
        assertThat(outcome.failure().exitCode()).isEqualTo(ExitCode.INCOMPLETE);
        assertThat(outcome.measured(true).sent().bytes()).isPositive();
      }
    }
  }

  @Test
  void aRunThatIsToldToFinishIsComplete() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        RunLoops loops = new RunLoops()) {
      TestSpec spec = timed(TCP, Mode.STREAMING, 600_000_000, 0);
      CompletableFuture<RunSample> first = new CompletableFuture<>();
      NetRun run = NetRun.start(plan(server, spec, null), loops, new Latencies(), first::complete);
      first.get(WAIT_SECONDS, TimeUnit.SECONDS);
      run.finish();
      RunOutcome outcome = await(run);
      assertThat(outcome.failure()).isNull();
      assertThat(outcome.disagreements()).isEmpty();
      assertThat(outcome.measured(true).received().bytes()).isPositive();
    }
  }

  @Test
  void whatAnAbruptRunHasNotSentIsDroppedAndTheServerCountsOn() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports())) {
      for (Mechanism mechanism : OWN) {
        TestSpec spec = timed(mechanism, Mode.STREAMING, 200_000, 0);
        RunOutcome outcome = run(plan(server, spec).abrupt(true).build());
        assertThat(outcome.failure()).as(spec.name()).isNull();
        assertThat(outcome.serverCounted()).as(spec.name()).isTrue();
        assertThat(outcome.disagreements()).as(spec.name()).isEmpty();
        assertThat(outcome.measured(true).received().bytes()).as(spec.name()).isPositive();
        assertThat(outcome.samples().stream().flatMap(sample -> sample.reports().stream()))
            .as(spec.name())
            .isNotEmpty();
      }
    }
  }

  @Test
  void aReservationKeepsAllAwayButItsGuests() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        NetLoop loop = new NetLoop()) {
      ServerLink.Call call =
          new ServerLink.Call(
              server.localAddress(), Purpose.RESERVATION, Token.NONE, null, null, 30_000);
      TestSpec spec = amount(TCP, Mode.STREAMING, true, false);
      try (ServerLink host =
          ServerLink.open(loop, call, MicroClock.system(), (at, counts) -> {})
              .get(WAIT_SECONDS, TimeUnit.SECONDS)) {
        assertRefused(server, spec, "busy with another client");
        NetPlan guest = plan(server, spec).reservation(host.token()).build();
        assertThat(run(guest).failure()).isNull();
        host.end().get(WAIT_SECONDS, TimeUnit.SECONDS);
      }
      assertThat(run(plan(server, spec, null)).failure()).isNull();
    }
  }

  @Test
  void aSessionThatEndsAsItShouldIsNeverLost() throws Exception {
    // Each waits for its clocks most of the time, and a server has one reservation at once.
    List<Callable<Void>> ten = Collections.nCopies(10, NetRunTest::endTwentySessions);
    ExecutorService threads = Executors.newFixedThreadPool(ten.size());
    try {
      for (Future<Void> one : threads.invokeAll(ten)) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void endTwentySessions() throws Exception {
    Reports reports = new Reports();
    try (NetServer server = server(ServerLimits.NONE, reports);
        NetLoop loop = new NetLoop()) {
      ServerLink.Call call =
          new ServerLink.Call(
              server.localAddress(), Purpose.RESERVATION, Token.NONE, null, null, 30_000);
      // The server closes as soon as it hears the end; which side is first differs.
      for (int i = 0; i < 20; i++) {
        ServerLink link =
            ServerLink.open(loop, call, MicroClock.system(), (at, counts) -> {})
                .get(WAIT_SECONDS, TimeUnit.SECONDS);
        link.end().get(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(reports.next().complete()).isTrue();
        assertThat(link.lost().isDone()).as("link %d", i).isFalse();
      }
    }
    return null;
  }

  @Test
  void aServerThatEndsLeavesAnIncompleteResultThatSaysWhy() throws Exception {
    NetServer server = server(ServerLimits.NONE, new Reports());
    try (RunLoops loops = new RunLoops()) {
      TestSpec spec = timed(UDP, Mode.STOP_AND_WAIT, 600_000_000, 0);
      CompletableFuture<RunSample> first = new CompletableFuture<>();
      NetRun run = NetRun.start(plan(server, spec, null), loops, new Latencies(), first::complete);
      first.get(WAIT_SECONDS, TimeUnit.SECONDS);
      server.close();
      RunOutcome outcome = await(run);
      assertThat(outcome.failure()).isNotNull();
      assertThat(outcome.failure().exitCode()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(outcome.failure()).hasMessageContaining("the server is ending");
      assertThat(outcome.disagreements()).contains("the server did not give its last counts");
    }
  }

  @Test
  void strangersDatagramsAreCountedAndDropped() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      byte[][] junk = {new byte[1], new byte[24], new byte[56], new byte[1_400]};
      for (int type = 0; type < 8; type++) {
        for (byte[] bytes : junk) {
          bytes[0] = (byte) type;
          stranger.send(new DatagramPacket(bytes, bytes.length, server.addressOf("udp")));
        }
      }
      RunOutcome outcome = run(plan(server, amount(UDP, Mode.STOP_AND_WAIT, true, false), null));
      assertThat(outcome.failure()).isNull();
      // The socket takes them in order: all are counted before the test's own.
      assertThat(server.strangers()).isEqualTo(32);
      stranger.setSoTimeout(1);
      assertThatThrownBy(() -> stranger.receive(new DatagramPacket(new byte[100], 100)))
          .isInstanceOf(java.net.SocketTimeoutException.class);
    }
  }
}
