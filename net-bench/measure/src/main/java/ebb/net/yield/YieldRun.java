package ebb.net.yield;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.rand.UnpredictableRandom;
import ebb.core.time.MicroClock;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.EndpointListener;
import ebb.ledbat.netty.NettyDriver;
import ebb.ledbat.netty.NettyDriverConfig;
import ebb.net.client.LedbatFlow;
import ebb.net.client.ServerLink;
import ebb.net.client.TcpFlow;
import ebb.net.control.NetKey;
import ebb.net.tcp.TcpCongestion;
import ebb.net.tcp.TcpLoop;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the phases against a server, one after the other, on the caller's thread. LEDBAT and TCP
 * have a loop each, so that neither waits for the other here; they meet on the path only.
 */
public final class YieldRun {
  private static final long SAMPLE_MICROS = 100_000;
  private static final long PROGRESS_MICROS = 200_000;

  /** The connections themselves give up a little earlier, and know why. */
  private static final long SLACK_MILLIS = 2_000;

  /** More than a round trip and a queue. */
  private static final long LAST_WORDS_MILLIS = 700;

  /** Between flows, for queues to drain. */
  private static final long PAUSE_MICROS = 1_000_000;

  private final YieldPlan plan;
  private final InetSocketAddress server;
  private final LedbatConfig config;
  private final @Nullable NetKey key;
  private final long timeoutMillis;
  private final MicroClock clock = MicroClock.system();
  private final YieldTrace trace = new YieldTrace();
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final long startMicros = clock.nowMicros();
  private Consumer<String> progress = line -> {};
  private String congestion = "unknown";
  private long clockErrorMicros = -1;
  private int ledbatFlows;
  private int tcpFlows;
  private @Nullable EbbException failure;

  /**
   * A run that has not started.
   *
   * @param config for LEDBAT; its controller is the plan's
   * @param key of the server; null for none
   */
  public YieldRun(
      YieldPlan plan,
      InetSocketAddress server,
      LedbatConfig config,
      @Nullable NetKey key,
      long timeoutMillis) {
    this.key = key;
    this.plan = plan;
    this.server = server;
    this.config =
        config.toBuilder()
            .controller(plan.controller())
            .accepting(false)
            .connectTimeoutMicros(timeoutMillis * 1_000)
            .build();
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Measures; blocks until all phases are over or the path breaks, which the outcome tells.
   *
   * @param lines takes a line of progress several times a second
   * @throws EbbException when not a single phase could begin
   */
  public YieldOutcome measure(Consumer<String> lines) throws InterruptedException {
    progress = lines;
    try (TcpLoop tcp = new TcpLoop();
        ServerLink link = ServerLink.open(tcp, server, clock, key, this::arrived, timeoutMillis);
        NettyDriver driver = bind()) {
      clockErrorMicros = link.clockErrorMicros();
      try {
        phases(tcp, driver, link);
        link.end();
      } catch (EbbException broken) {
        if (trace.phases().isEmpty() || broken.exitCode() != ExitCode.INCOMPLETE) {
          throw broken;
        }
        failure = broken;
      }
      clockErrorMicros = link.clockErrorMicros();
      return outcome();
    }
  }

  /** Makes {@link #measure} end with what there is; from another thread. */
  public void interrupt() {
    interrupted.completeExceptionally(
        new EbbException(ExitCode.INCOMPLETE, "interrupted before the end"));
  }

  private YieldOutcome outcome() {
    return new YieldOutcome(
        plan, server, trace, startMicros, congestion, clockErrorMicros, failure);
  }

  private void arrived(long atMicros, long ledbatBytes, long tcpBytes) {
    trace.arrived(atMicros, ledbatBytes, tcpBytes);
  }

  private NettyDriver bind() {
    try {
      String any = server.getAddress() instanceof java.net.Inet6Address ? "::" : "0.0.0.0";
      return NettyDriver.bind(
          NettyDriverConfig.at(new InetSocketAddress(any, 0)),
          config,
          new UnpredictableRandom(),
          new EndpointListener() {});
    } catch (BindException taken) {
      throw new EbbException(ExitCode.INTERNAL, String.valueOf(taken.getMessage()), taken);
    }
  }

  private void phases(TcpLoop tcp, NettyDriver driver, ServerLink link)
      throws InterruptedException {
    // UDP that does not get through is to be known now, and not when TCP has had its time.
    startLedbat(driver, link).stop();
    pause(link);

    TcpFlow before = startTcp(tcp, link);
    run(Phase.Kind.TCP_ALONE, plan.tcpAloneMicros(), link, null, before);
    before.stop();
    pause(link);

    LedbatFlow ledbat = startLedbat(driver, link);
    run(Phase.Kind.ALONE, plan.aloneMicros(), link, ledbat, null);

    TcpFlow rival;
    if (plan.first() == YieldPlan.First.LEDBAT) {
      rival = startTcp(tcp, link);
    } else {
      ledbat.stop();
      pause(link);
      rival = startTcp(tcp, link);
      run(Phase.Kind.TCP_LEAD, plan.leadMicros(), link, null, rival);
      ledbat = startLedbat(driver, link);
    }
    run(Phase.Kind.CONTENDED, plan.contendedMicros(), link, ledbat, rival);
    rival.stop();
    run(Phase.Kind.AFTER, plan.afterMicros(), link, ledbat, null);
    ledbat.stop();
    // The last report from the server may still be on its way.
    waitFor(2 * SAMPLE_MICROS, link, null, null, "");
  }

  private TcpFlow startTcp(TcpLoop tcp, ServerLink link) throws InterruptedException {
    int number = tcpFlows++;
    TcpFlow flow =
        new TcpFlow(
            tcp,
            server,
            link.token(),
            plan.tcp(),
            SAMPLE_MICROS,
            sample -> trace.tcp(clock.nowMicros(), number, sample));
    congestion = await(flow.start(), link);
    return flow;
  }

  private LedbatFlow startLedbat(NettyDriver driver, ServerLink link) throws InterruptedException {
    int number = ledbatFlows++;
    LedbatFlow flow =
        new LedbatFlow(
            driver, server, link.token(), SAMPLE_MICROS, stats -> trace.ledbat(number, stats));
    await(flow.start(), link);
    return flow;
  }

  private <T> T await(CompletableFuture<T> started, ServerLink link) throws InterruptedException {
    CompletableFuture<Object> either = CompletableFuture.anyOf(started, link.lost(), interrupted);
    try {
      either.get(timeoutMillis + SLACK_MILLIS, TimeUnit.MILLISECONDS);
      return started.join();
    } catch (TimeoutException silent) {
      throw new EbbException(
          ExitCode.CANNOT_CONNECT, "the server takes no connection for data", silent);
    } catch (ExecutionException failed) {
      throw reason(failed, link);
    }
  }

  private void run(
      Phase.Kind kind,
      long micros,
      ServerLink link,
      @Nullable LedbatFlow ledbat,
      @Nullable TcpFlow tcp)
      throws InterruptedException {
    long from = clock.nowMicros();
    waitFor(micros, link, ledbat, tcp, kind.words);
    // One that broke half-way is not recorded: its figures would be of another length.
    trace.phase(new Phase(kind, from, clock.nowMicros()));
  }

  private void pause(ServerLink link) throws InterruptedException {
    waitFor(PAUSE_MICROS, link, null, null, "pause");
  }

  /** Lets time pass, unless something breaks. */
  private void waitFor(
      long micros,
      ServerLink link,
      @Nullable LedbatFlow ledbat,
      @Nullable TcpFlow tcp,
      String words)
      throws InterruptedException {
    CompletableFuture<Void> none = new CompletableFuture<>();
    CompletableFuture<Object> broken =
        CompletableFuture.anyOf(
            link.lost(),
            interrupted,
            ledbat == null ? none : ledbat.broken(),
            tcp == null ? none : tcp.broken());
    long end = clock.nowMicros() + micros;
    for (long left = micros; left > 0; left = end - clock.nowMicros()) {
      try {
        broken.get(Math.min(left, PROGRESS_MICROS), TimeUnit.MICROSECONDS);
      } catch (TimeoutException goesOn) {
        if (!words.isEmpty()) {
          progress.accept(YieldText.progress(trace, words, clock.nowMicros(), startMicros));
        }
      } catch (ExecutionException failed) {
        throw reason(failed, link);
      }
    }
  }

  /** A server that ends resets its connections and says why: its words are the better ones. */
  private EbbException reason(ExecutionException failed, ServerLink link)
      throws InterruptedException {
    if (!interrupted.isDone()) {
      try {
        link.lost().get(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException told) {
        return known(told);
      } catch (TimeoutException silent) {
        return known(failed);
      }
    }
    return known(failed);
  }

  private static EbbException known(ExecutionException failed) {
    Throwable cause = failed.getCause();
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
}
