package ebb.net.yield;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.config.LedbatConfigBuilder;
import ebb.net.Mechanisms;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.NetKey;
import ebb.net.control.TestSpec;
import ebb.net.control.TestSpec.Mode;
import ebb.net.control.Token;
import ebb.net.echo.EchoLog;
import ebb.net.echo.EchoSchedule;
import ebb.net.ledbat.LedbatClientOptions;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.FlowOpening;
import ebb.net.port.RunDirector;
import ebb.net.run.FlowSample;
import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import ebb.net.tcp.TcpCongestion;
import ebb.net.tcp.TcpOptions;
import ebb.net.udp.UdpClientOptions;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the phases against a server, one after the other, on the caller's thread: a reservation, and
 * under it runs of streaming of the flow that yields and of TCP, which it begins and ends. They
 * meet on the path only.
 */
public final class YieldRun {
  private static final long SAMPLE_MICROS = 100_000;
  private static final long PROGRESS_MICROS = 200_000;
  private static final long PROBE_MICROS = 50_000;
  private static final int PROBE_BYTES = 64;

  /** The runs themselves give up a little earlier, and know why. */
  private static final long SLACK_MILLIS = 2_000;

  /** More than a round trip and a queue. */
  private static final long LAST_WORDS_MILLIS = 700;

  /** Between flows, for queues to drain. */
  private static final long PAUSE_MICROS = 1_000_000;

  /** What a run may take beyond its phases, for others to connect. */
  private static final long ROOM_MICROS = 30_000_000;

  private final YieldPlan plan;
  private final InetSocketAddress server;
  private final FlowOpening yielder;
  private final FlowOpening tcp;
  private final @Nullable NetKey key;
  private final long timeoutMillis;
  private final RunDirector runs;
  private final MicroClock clock = MicroClock.system();
  private final YieldTrace trace = new YieldTrace();
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final long startMicros = clock.nowMicros();
  private boolean plots;
  private Consumer<String> progress = line -> {};
  private Token reservation = Token.NONE;
  private CompletableFuture<Void> lost = new CompletableFuture<>();
  private long clockErrorMicros = -1;
  private int flows;
  private @Nullable EbbException failure;

  /**
   * A run that has not started.
   *
   * @param config for LEDBAT; its controller is the plan's
   * @param key of the server; null for none
   * @param runs who measures
   */
  public YieldRun(
      YieldPlan plan,
      InetSocketAddress server,
      LedbatConfig config,
      @Nullable NetKey key,
      long timeoutMillis,
      RunDirector runs) {
    this.key = key;
    this.plan = plan;
    this.server = server;
    this.timeoutMillis = timeoutMillis;
    this.runs = runs;
    yielder = yielder(plan, config);
    tcp = new TcpOptions().congestion(plan.tcp()).opening();
  }

  private static FlowOpening yielder(YieldPlan plan, LedbatConfig config) {
    LedbatConfigBuilder ledbat = config.toBuilder();
    return switch (plan.yielder()) {
      case TCP_RECEIVER -> new TcpOptions().inBackground().opening();
      case LEDBAT_SENDER ->
          LedbatClientOptions.opening(ledbat.controller(plan.controller()).build());
      case LEDBAT_RECEIVER ->
          LedbatClientOptions.opening(
              ledbat
                  .receiveController(plan.controller())
                  .receiveTargetDelayMicros(config.targetDelayMicros())
                  .build());
    };
  }

  /**
   * Measures; blocks until all phases are over or the path breaks, which the outcome tells.
   *
   * @param plotting whether the lines have a small plot, as on a terminal
   * @param lines takes a line of progress several times a second
   * @throws EbbException when not a single phase could begin
   */
  public YieldOutcome measure(boolean plotting, Consumer<String> lines)
      throws InterruptedException {
    plots = plotting;
    progress = lines;
    ServerLink.Call call =
        new ServerLink.Call(server, Purpose.RESERVATION, Token.NONE, key, null, timeoutMillis);
    try (NetLoop loop = new NetLoop();
        ServerLink link = await(ServerLink.open(loop, call, clock, (at, counts) -> {}), 3)) {
      reservation = link.token();
      lost = link.lost();
      try {
        phases();
        await(link.end(), 1);
      } catch (EbbException broken) {
        if (trace.phases().isEmpty() || broken.exitCode() != ExitCode.INCOMPLETE) {
          throw broken;
        }
        failure = broken;
      }
      clockErrorMicros = Math.max(clockErrorMicros, link.serverClock().comparison().errorMicros());
      return new YieldOutcome(
          plan, server, trace, startMicros, congestion(), clockErrorMicros, failure);
    }
  }

  /** What has been measured so far; any thread. */
  public YieldOutcome soFar() {
    return new YieldOutcome(plan, server, trace, startMicros, congestion(), clockErrorMicros, null);
  }

  private String congestion() {
    if (plan.download()) {
      return "the server's";
    }
    return plan.tcp().equals(TcpCongestion.KERNELS_OWN)
        ? TcpCongestion.kernelsOwn().orElse("unknown")
        : plan.tcp();
  }

  /** Makes {@link #measure} end with what there is; from another thread. */
  public void interrupt() {
    interrupted.completeExceptionally(
        new EbbException(ExitCode.INCOMPLETE, "interrupted before the end"));
  }

  private void phases() throws InterruptedException {
    // UDP that does not get through is to be known now, and not when TCP has had its time.
    Flow first = new Flow(plan.yielder().protocol(), yielder, trace.ledbat, 0);
    await(first.run.outcome(), 3);
    first.check();
    RunDirector.Asked probe = runs.run(probe(), sample -> {}, micros -> {});
    try {
      pause();
      measured();
    } finally {
      end(probe);
    }
  }

  /** What became of it changes nothing. */
  private static void end(RunDirector.Asked probe) throws InterruptedException {
    probe.finish();
    try {
      var unused = probe.outcome().get(SLACK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException none) {
      return;
    }
  }

  /**
   * Small echoes by UDP, which belong to neither flow: what each does to the queue of everybody.
   * Where they do not get through, such as past a firewall, there is no probe.
   */
  private NetPlan probe() {
    TestSpec spec =
        TestSpec.of("udp", Mode.ECHO)
            .messageBytes(PROBE_BYTES)
            .bitsPerSecond(8_000_000L * PROBE_BYTES / PROBE_MICROS)
            .maxMicros(plan.totalMicros() + 2 * ROOM_MICROS)
            .parameter(EchoSchedule.INTERVAL, PROBE_MICROS)
            .build();
    EchoLog log =
        new EchoLog(
            UdpClientOptions.ECHO_WAIT_MICROS,
            false,
            reply -> trace.echo(reply.sentMicros(), reply.roundTripMicros()));
    return NetPlan.of(server, Mechanisms.get("udp"), spec)
        .flows(UdpClientOptions.counting(log))
        .durationMicros(spec.maxMicros())
        .reservation(reservation)
        .key(key)
        .connectTimeoutMillis(timeoutMillis)
        .build();
  }

  private void measured() throws InterruptedException {
    Flow before = start("tcp", tcp, trace.tcp, plan.tcpAloneMicros());
    phase(Phase.Kind.TCP_ALONE, before.beganMicros(), plan.tcpAloneMicros(), before);
    before.finish();
    pause();

    long alone = plan.aloneMicros();
    long together = plan.contendedMicros();
    Flow scavenger =
        start(
            plan.yielder().protocol(),
            yielder,
            trace.ledbat,
            alone + together + plan.afterMicros());
    phase(Phase.Kind.ALONE, scavenger.beganMicros(), alone, scavenger);
    Flow rival;
    if (plan.first() == YieldPlan.First.LEDBAT) {
      rival = start("tcp", tcp, trace.tcp, together);
      phase(Phase.Kind.CONTENDED, rival.beganMicros(), together, scavenger, rival);
    } else {
      scavenger.finish();
      pause();
      rival = start("tcp", tcp, trace.tcp, plan.leadMicros() + together);
      phase(Phase.Kind.TCP_LEAD, rival.beganMicros(), plan.leadMicros(), rival);
      scavenger =
          start(plan.yielder().protocol(), yielder, trace.ledbat, together + plan.afterMicros());
      phase(Phase.Kind.CONTENDED, scavenger.beganMicros(), together, scavenger, rival);
    }
    rival.run.finish();
    if (plan.download()) {
      rival.finish(); // what the server had for it still comes
    }
    phase(Phase.Kind.AFTER, clock.nowMicros(), plan.afterMicros(), scavenger);
    if (!plan.download()) {
      rival.finish();
    }
    scavenger.finish();
  }

  private Flow start(String protocol, FlowOpening opening, YieldTrace.Kind kind, long plannedMicros)
      throws InterruptedException {
    Flow flow = new Flow(protocol, opening, kind, plannedMicros);
    // Its first sample, or why there is none.
    await(CompletableFuture.anyOf(flow.began, flow.run.outcome()), 3);
    flow.check();
    return flow;
  }

  private void phase(Phase.Kind kind, long fromMicros, long micros, Flow... there)
      throws InterruptedException {
    waitUntil(fromMicros + micros, kind.words(plan.yielder()), there);
    // One that broke half-way is not recorded: its figures would be of another length.
    trace.phase(new Phase(kind, fromMicros, clock.nowMicros()));
  }

  private void pause() throws InterruptedException {
    waitUntil(clock.nowMicros() + PAUSE_MICROS, "pause");
  }

  /** Lets time pass, unless something breaks. */
  private void waitUntil(long end, String words, Flow... there) throws InterruptedException {
    CompletableFuture<Object> broken =
        CompletableFuture.anyOf(
            Stream.concat(
                    Stream.of(lost, interrupted),
                    Arrays.stream(there).map(flow -> flow.run.outcome()))
                .toArray(CompletableFuture<?>[]::new));
    for (long left = end - clock.nowMicros(); left > 0; left = end - clock.nowMicros()) {
      try {
        broken.get(Math.min(left, PROGRESS_MICROS), TimeUnit.MICROSECONDS);
        for (Flow flow : there) {
          flow.check();
        }
      } catch (TimeoutException goesOn) {
        long now = clock.nowMicros();
        progress.accept(
            plots
                ? YieldText.plotted(plan, trace, words, now)
                : YieldText.progress(plan, trace, words, now, startMicros));
      } catch (ExecutionException failed) {
        throw reason(failed);
      }
    }
  }

  /** What takes some steps, each as long as the server may take to answer. */
  private <T> T await(CompletableFuture<T> done, int steps) throws InterruptedException {
    try {
      CompletableFuture.anyOf(done, lost, interrupted)
          .get(steps * timeoutMillis + SLACK_MILLIS, TimeUnit.MILLISECONDS);
      return done.join();
    } catch (TimeoutException silent) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT, "the server takes no connection for data", silent);
    } catch (ExecutionException failed) {
      throw reason(failed);
    }
  }

  /** A server that ends resets its connections and says why: its words are the better ones. */
  private EbbException reason(Exception failed) throws InterruptedException {
    if (!interrupted.isDone()) {
      try {
        lost.get(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException told) {
        return known(told);
      } catch (TimeoutException silent) {
        return known(failed);
      }
    }
    return known(failed);
  }

  private static EbbException known(Exception failed) {
    Throwable cause = failed instanceof EbbException ? failed : failed.getCause();
    return cause instanceof EbbException known
        ? known
        : new EbbException(ExitCode.INTERNAL, String.valueOf(cause), failed);
  }

  /**
   * Whether this host's kernel has the plan's congestion control.
   *
   * @throws EbbException USAGE when it has not
   */
  public static void checkTcp(String name) {
    try {
      TcpCongestion.check(name);
    } catch (IllegalArgumentException missing) {
      throw new EbbException(ExitCode.USAGE, String.valueOf(missing.getMessage()), missing);
    }
  }

  /** A run, and what it adds to the trace. */
  private final class Flow {
    private final YieldTrace.Kind kind;
    private final int number = flows++;
    private final long earlierBytes;
    private final CompletableFuture<Long> began = new CompletableFuture<>();
    private final RunDirector.Asked run;
    private long receivedBytes;

    /**
     * Begins it.
     *
     * @param plannedMicros how long it is to run, until it is told; 0 for a single message
     */
    Flow(String protocol, FlowOpening opening, YieldTrace.Kind kind, long plannedMicros) {
      this.kind = kind;
      earlierBytes = kind.total();
      TestSpec spec =
          TestSpec.of(protocol, Mode.STREAMING)
              .messageBytes(TestSpec.MAX_MESSAGE_BYTES)
              .amountBytes(plannedMicros == 0 ? 1 : 0)
              .maxMicros(plannedMicros == 0 ? 0 : plannedMicros + ROOM_MICROS)
              .verify(false)
              .directions(!plan.download(), plan.download())
              .build();
      NetPlan asked =
          NetPlan.of(server, Mechanisms.get(protocol), spec)
              .flows(opening)
              .intervalMicros(SAMPLE_MICROS)
              .abrupt(plannedMicros > 0)
              .reservation(reservation)
              .key(key)
              .connectTimeoutMillis(timeoutMillis)
              .build();
      run = runs.run(asked, this::onSample, micros -> {});
    }

    private void onSample(RunSample sample) {
      if (began.complete(sample.startMicros())) {
        kind.arrived(sample.startMicros(), earlierBytes);
      }
      if (!plan.download()) {
        sample
            .reports()
            .forEach(
                report -> kind.arrived(report.atMicros(), earlierBytes + report.receivedBytes()));
      }
      long at = sample.startMicros() + sample.toMicros();
      if (plan.download()) {
        receivedBytes += sample.arrivedBytes(false);
        kind.arrived(at, earlierBytes + receivedBytes);
      }
      if (plan.download() && kind == trace.tcp) {
        return; // The rival's window and what it sent again are the server's, and not known here.
      }
      for (FlowSample flow : sample.flows()) {
        kind.sample(new YieldTrace.Sample(at, number, flow.values()));
        if (flow.limits().isKnown()) {
          kind.limit = flow.limits().text();
        }
      }
    }

    long beganMicros() {
      return began.join();
    }

    /** Fails when it broke, or could not begin. */
    void check() throws InterruptedException {
      if (run.outcome().isDone()) {
        RunOutcome outcome = await(run.outcome(), 1);
        if (outcome.failure() != null) {
          throw reason(outcome.failure());
        }
        clockErrorMicros = Math.max(clockErrorMicros, outcome.clocks().errorMicros());
      }
    }

    /** Its time is over; waits for the server's last count. */
    void finish() throws InterruptedException {
      run.finish();
      await(run.outcome(), 3);
      check();
    }
  }
}
