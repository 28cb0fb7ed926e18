package ebb.net.server;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.net.Mechanisms;
import ebb.net.control.ControlMessage;
import ebb.net.control.ControlMessage.Begin;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Ready;
import ebb.net.control.ControlMessage.Refusal;
import ebb.net.control.ControlMessage.Refused;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.ControlMessage.Welcome;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.Token;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ClientRun;
import ebb.net.mechanism.FlowOpening;
import ebb.net.mechanism.Mechanism;
import ebb.net.run.NetPlan;
import ebb.net.run.NetRun;
import ebb.net.run.RunLoops;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that want to use the server against others, or to keep them out. */
class ServerAbuseTest {
  private static final String HERE = "127.0.0.1";
  private static final String ELSEWHERE = "127.0.0.2";
  private static final long SECOND = 1_000_000;
  private static final long WAIT_SECONDS = 60;
  private static final int MANY = 1_000;

  private final AtomicLong nowMicros = new AtomicLong(SECOND);
  private final LinkedBlockingQueue<SessionReport> ended = new LinkedBlockingQueue<>();

  private NetServer server(int maxSessions, int maxConnections) throws Exception {
    return NetServer.start(
        new InetSocketAddress(InetAddress.getByName(HERE), 0),
        NetServer.usualOptions(),
        new ServerLimits(ServerLimits.DEFAULT_MAX_MICROS, 0, maxSessions, null),
        maxConnections,
        nowMicros::get,
        new NetServer.Listener() {
          @Override
          public void onSessionEnd(SessionReport report) {
            ended.add(report);
          }

          @Override
          public void onRefused(InetSocketAddress client, Refused refused) {}
        });
  }

  private SessionReport report() throws InterruptedException {
    SessionReport report = ended.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(report).isNotNull();
    return report;
  }

  private static void assertRefused(ControlMessage said, Refusal refusal, String words) {
    assertThat(said)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.refusal()).isEqualTo(refusal);
              assertThat(refused.reason()).contains(words);
            });
  }

  private static TestSpec minute(String protocol, boolean up, boolean down) {
    return TestSpec.of(protocol, Mode.STREAMING)
        .directions(up, down)
        .messageBytes(1_000)
        .maxMicros(60 * SECOND)
        .build();
  }

  /** TCP's flows are open before the server knows whose they are, UDP's are not. */
  private static EbbException failure(NetRun run) throws Exception {
    try {
      return Objects.requireNonNull(
          run.outcome().get(WAIT_SECONDS, TimeUnit.SECONDS).failure(), "not refused");
    } catch (ExecutionException early) {
      return (EbbException) early.getCause();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp", "ledbat"})
  void aFlowFromAnotherAddressThanTheControlConnectionsGetsNothing(String protocol)
      throws Exception {
    Mechanism mechanism = Mechanisms.get(protocol);
    FlowOpening usual = mechanism.clientOptions().opening();
    try (NetServer server = server(MANY, MANY);
        RunLoops loops = new RunLoops()) {
      NetPlan plan =
          NetPlan.of(server.localAddress(), mechanism, minute(protocol, false, true))
              .flows(run -> usual.forRun(new FromElsewhere(run)))
              .durationMicros(60 * SECOND)
              .connectTimeoutMillis(TimeUnit.SECONDS.toMillis(WAIT_SECONDS))
              .build();
      NetRun run = NetRun.start(plan, loops, new Latencies(), sample -> {});
      EbbException refused = failure(run);
      assertThat(refused.exitCode()).isEqualTo(ExitCode.REFUSED_OR_BUSY);
      assertThat(refused)
          .hasMessage(
              "the server refused: the data comes from 127.0.0.2, but the control connection from"
                  + " 127.0.0.1: both must have the same address (choose it with --bind)");
      SessionReport report = report();
      assertThat(report.sent()).isEqualTo(FlowCounts.NONE);
      assertThat(report.received()).isEqualTo(FlowCounts.NONE);
    }
  }

  @Test
  void aClientThatOnlyPingsIsEndedAfterAMinute() throws Exception {
    try (NetServer server = server(MANY, MANY);
        RawClient idle = new RawClient(server, HERE)) {
      assertThat(idle.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      for (int second = 0; second < 60; second += 10) {
        idle.ping();
        nowMicros.addAndGet(10 * SECOND);
      }
      idle.ping();
      nowMicros.addAndGet(SECOND);
      assertRefused(idle.next(), Refusal.NOT_ALLOWED, "nothing was measured for 60 seconds");
      assertThat(report().complete()).isFalse();
    }
  }

  @Test
  void aClientThatHasItsLastCountsAndStaysIsEnded() throws Exception {
    try (NetServer server = server(MANY, MANY);
        RawClient idle = new RawClient(server, HERE)) {
      assertThat(idle.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      assertThat(idle.send(new Begin(minute("udp", true, false))).next()).isInstanceOf(Ready.class);
      assertThat(idle.send(new Go()).send(new Stop()).next()).isInstanceOf(Counts.class);
      for (int second = 0; second < 60; second += 10) {
        idle.ping();
        nowMicros.addAndGet(10 * SECOND);
      }
      idle.ping();
      nowMicros.addAndGet(SECOND);
      assertRefused(idle.next(), Refusal.NOT_ALLOWED, "nothing was measured");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SESSION", "RESERVATION"})
  void whoMeasuresNothingForTenSecondsMakesWayForWhoWaits(Purpose purpose) throws Exception {
    try (NetServer server = server(1, MANY);
        RawClient idle = new RawClient(server, HERE);
        RawClient early = new RawClient(server, ELSEWHERE);
        RawClient late = new RawClient(server, ELSEWHERE)) {
      assertThat(idle.hello(purpose).next()).isInstanceOf(Welcome.class);
      nowMicros.addAndGet(10 * SECOND);
      assertRefused(early.hello(Purpose.SESSION).next(), Refusal.BUSY, "busy");
      nowMicros.addAndGet(1);
      assertThat(late.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      assertRefused(idle.next(), Refusal.BUSY, "another client waits");
    }
  }

  @Test
  void anAddressWithAllSessionsGivesItsNewestToAnother() throws Exception {
    try (NetServer server = server(2, MANY);
        RawClient first = new RawClient(server, HERE);
        RawClient second = new RawClient(server, HERE);
        RawClient third = new RawClient(server, HERE);
        RawClient other = new RawClient(server, ELSEWHERE);
        RawClient others = new RawClient(server, ELSEWHERE)) {
      assertThat(first.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      assertThat(second.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      assertRefused(third.hello(Purpose.SESSION).next(), Refusal.BUSY, "busy");
      assertThat(other.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
      assertRefused(second.next(), Refusal.BUSY, "most clients of the server have this address");
      first.ping();
      assertRefused(others.hello(Purpose.SESSION).next(), Refusal.BUSY, "busy");
    }
  }

  @Test
  void idleConnectionsOfOneAddressKeepNobodyOut() throws Exception {
    List<RawClient> crowd = new ArrayList<>();
    try (NetServer server = server(MANY, 3)) {
      for (int i = 0; i < 3; i++) {
        crowd.add(new RawClient(server, HERE));
      }
      crowd.add(new RawClient(server, HERE));
      assertRefused(crowd.get(3).next(), Refusal.BUSY, "as many connections as it can take");
      try (RawClient honest = new RawClient(server, ELSEWHERE)) {
        assertThat(honest.hello(Purpose.SESSION).next()).isInstanceOf(Welcome.class);
        assertRefused(crowd.get(2).next(), Refusal.BUSY, "most connections to the server");
      }
    } finally {
      for (RawClient each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void withoutAnOptionATestOfTenDaysIsRefused() throws Exception {
    TestSpec spec = minute("tcp", true, false).toBuilder().maxMicros(10 * 86_400 * SECOND).build();
    try (NetServer server = server(MANY, MANY);
        RawClient client = new RawClient(server, HERE)) {
      client.hello(Purpose.SESSION).next();
      assertRefused(
          client.send(new Begin(spec)).next(), Refusal.NOT_ALLOWED, "allows tests of 2h00m");
    }
  }

  /** A run whose flows are bound to another address. */
  private record FromElsewhere(ClientRun run) implements ClientRun {
    @Override
    public @Nullable InetSocketAddress bound() {
      return new InetSocketAddress(ELSEWHERE, 0);
    }

    @Override
    public TestSpec spec() {
      return run.spec();
    }

    @Override
    public Token token() {
      return run.token();
    }

    @Override
    public InetSocketAddress server() {
      return run.server();
    }

    @Override
    public InetAddress localAddress() {
      return run.localAddress();
    }

    @Override
    public long connectTimeoutMillis() {
      return run.connectTimeoutMillis();
    }

    @Override
    public MicroClock clock() {
      return run.clock();
    }

    @Override
    public Latencies latencies() {
      return run.latencies();
    }

    @Override
    public NetLoop loop() {
      return run.loop();
    }

    @Override
    public <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
      return run.shared(type, maker);
    }
  }
}
