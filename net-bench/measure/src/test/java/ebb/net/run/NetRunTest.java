package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.ledbat.config.LedbatConfig;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.NetKey;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.TestSpec.Protocol;
import ebb.net.flow.Latencies;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.net.server.SessionReport;
import io.netty.channel.epoll.Epoll;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
  private static final byte[] KEY = new byte[32];

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
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        0,
        LedbatConfig.defaults(),
        limits,
        listener);
  }

  private static TestSpec amount(Protocol protocol, Mode mode, boolean up, boolean down) {
    int messageBytes = mode == Mode.STOP_AND_WAIT ? 40_000 : 1_000;
    // UDP streams would overrun a busy machine's receiver: 100 Mbit/s.
    long rate = protocol == Protocol.UDP && mode == Mode.STREAMING ? 100_000_000 : 0;
    return new TestSpec(protocol, mode, up, down, 2, messageBytes, rate, AMOUNT, 0, 0, 0, true);
  }

  private static TestSpec timed(Protocol protocol, Mode mode, long micros, long rate) {
    return new TestSpec(protocol, mode, true, false, 1, 1_000, rate, 0, micros, 0, 0, true);
  }

  private static RunPlan plan(NetServer server, TestSpec spec, NetKey key) {
    return new RunPlan(
        server.localAddress(),
        spec,
        100_000,
        0,
        spec.maxMicros(),
        "default",
        LedbatConfig.defaults(),
        null,
        key,
        30_000);
  }

  private static RunOutcome run(RunPlan plan) throws InterruptedException {
    return new NetRun(plan, new Latencies()).measure(sample -> {});
  }

  @Test
  void everyMechanismMovesTheAmountAndBothEndsCountTheSame() throws Exception {
    Reports reports = new Reports();
    try (NetServer server = server(ServerLimits.NONE, reports)) {
      for (Protocol protocol : Protocol.values()) {
        for (Mode mode : Mode.values()) {
          TestSpec spec = amount(protocol, mode, true, true);
          RunOutcome outcome = run(plan(server, spec, null));
          assertThat(outcome.failure()).as(spec.name()).isNull();
          long messages = 2 * ((AMOUNT + spec.messageBytes() - 1) / spec.messageBytes());
          assertThat(outcome.sent().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
          assertThat(outcome.sent().messages()).as(spec.name()).isEqualTo(messages);
          assertThat(outcome.serverSent().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
          boolean mayLose = protocol == Protocol.UDP && mode == Mode.STREAMING;
          if (!mayLose) {
            assertThat(outcome.disagreements()).as(spec.name()).isEmpty();
            assertThat(outcome.serverReceived().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
            assertThat(outcome.serverReceived().messages()).as(spec.name()).isEqualTo(messages);
            assertThat(outcome.received().bytes()).as(spec.name()).isEqualTo(2 * AMOUNT);
          }
          assertThat(outcome.serverReceived().corrupt()).as(spec.name()).isZero();
          assertThat(outcome.received().corrupt()).as(spec.name()).isZero();
          if (protocol == Protocol.UDP) {
            assertOneWay(outcome, true);
            assertOneWay(outcome, false);
          }
          if (mode == Mode.STOP_AND_WAIT) {
            assertThat(outcome.latency().count()).as(spec.name()).isEqualTo(messages);
          }
          SessionReport report = reports.next();
          assertThat(report.complete()).as(spec.name()).isTrue();
          assertThat(report.received()).as(spec.name()).isEqualTo(outcome.serverReceived());
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
    assertThat(oneWay.minMicros() + outcome.clockErrorMicros() + 2).as(name).isNotNegative();
    assertThat(oneWay.maxMicros()).as(name).isLessThan(TimeUnit.SECONDS.toMicros(WAIT_SECONDS));
  }

  @Test
  void aTimedRunEndsInTimeAndItsWarmUpIsLeftOut() throws Exception {
    try (NetServer server = server(ServerLimits.NONE, new Reports())) {
      TestSpec spec = timed(Protocol.TCP, Mode.STREAMING, 600_000, 8_000_000);
      RunPlan plan =
          new RunPlan(
              server.localAddress(),
              spec,
              100_000,
              300_000,
              300_000,
              "default",
              LedbatConfig.defaults(),
              null,
              null,
              30_000);
      RunOutcome outcome = run(plan);
      assertThat(outcome.failure()).isNull();
      assertThat(outcome.measuredMicros()).isGreaterThanOrEqualTo(300_000);
      assertThat(outcome.wholeUp().sent().bytes()).isGreaterThan(outcome.sent().bytes());
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
  void manyClientsAreServedAtOnceAndShareTheirLoops() throws Exception {
    int clients = 20;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try (NetServer server = server(ServerLimits.NONE, new Reports());
        RunLoops loops = new RunLoops()) {
      List<Future<RunOutcome>> runs = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Protocol protocol = Protocol.values()[i % 3];
        TestSpec spec = timed(protocol, Mode.STOP_AND_WAIT, 500_000, 0);
        RunPlan plan = plan(server, spec, null);
        runs.add(
            threads.submit(() -> new NetRun(plan, new Latencies()).measure(loops, sample -> {})));
      }
      for (Future<RunOutcome> run : runs) {
        RunOutcome outcome = run.get(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.sent().messages()).isPositive();
        assertThat(outcome.disagreements()).isEmpty();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aServerWithAKeyServesOnlyWhoHasIt() throws Exception {
    NetKey key = NetKey.of(KEY);
    byte[] other = KEY.clone();
    other[31] = 1;
    TestSpec spec = amount(Protocol.TCP, Mode.STREAMING, true, false);
    try (NetServer server = server(new ServerLimits(0, 0, 10, key), new Reports())) {
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
      assertRefused(server, timed(Protocol.UDP, Mode.STREAMING, 2_000_000, 1_000_000), "1.00 s");
      assertRefused(server, timed(Protocol.UDP, Mode.STREAMING, 500_000, 0), "no bound");
      assertRefused(server, timed(Protocol.UDP, Mode.STREAMING, 500_000, 20_000_000), "20.0 Mbit");
      RunOutcome allowed =
          run(plan(server, timed(Protocol.UDP, Mode.STREAMING, 200_000, 1_000_000), null));
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
      TestSpec spec = timed(Protocol.TCP, Mode.STREAMING, 600_000_000, 0);
      CompletableFuture<RunSample> first = new CompletableFuture<>();
      NetRun run = new NetRun(plan(server, spec, null), new Latencies());
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<RunOutcome> running = thread.submit(() -> run.measure(first::complete));
        first.get(WAIT_SECONDS, TimeUnit.SECONDS);
        run.interrupt();
        RunOutcome outcome = running.get(WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(outcome.failure()).isNotNull();
        assertThat(outcome.failure().exitCode()).isEqualTo(ExitCode.INCOMPLETE);
        assertThat(outcome.sent().bytes()).isPositive();
      } finally {
        thread.shutdownNow();
      }
    }
  }

  @Test
  void aServerThatEndsLeavesAnIncompleteResultThatSaysWhy() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    NetServer server = server(ServerLimits.NONE, new Reports());
    try {
      TestSpec spec = timed(Protocol.UDP, Mode.STOP_AND_WAIT, 600_000_000, 0);
      CompletableFuture<RunSample> first = new CompletableFuture<>();
      NetRun run = new NetRun(plan(server, spec, null), new Latencies());
      Future<RunOutcome> running = thread.submit(() -> run.measure(first::complete));
      first.get(WAIT_SECONDS, TimeUnit.SECONDS);
      server.close();
      RunOutcome outcome = running.get(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(outcome.failure()).isNotNull();
      assertThat(outcome.failure().exitCode()).isEqualTo(ExitCode.INCOMPLETE);
      assertThat(outcome.failure()).hasMessageContaining("the server is ending");
      assertThat(outcome.disagreements()).contains("the server did not give its last counts");
    } finally {
      thread.shutdownNow();
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
          stranger.send(new DatagramPacket(bytes, bytes.length, server.udpAddress()));
        }
      }
      RunOutcome outcome =
          run(plan(server, amount(Protocol.UDP, Mode.STOP_AND_WAIT, true, false), null));
      assertThat(outcome.failure()).isNull();
      // The socket takes them in order: all are counted before the test's own.
      assertThat(server.strangers()).isEqualTo(32);
      stranger.setSoTimeout(1);
      assertThatThrownBy(() -> stranger.receive(new DatagramPacket(new byte[100], 100)))
          .isInstanceOf(java.net.SocketTimeoutException.class);
    }
  }
}
