package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.CpuTime;
import ebb.core.time.MicroClock;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.Latencies;
import ebb.net.loop.NetLoop;
import ebb.net.mechanism.ClientRun;
import ebb.net.run.RunOutcome.BothEnds;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One measurement from the client's side: connects, lets the flows run, takes samples, ends them in
 * an orderly way and collects both ends' counts. All of it are steps on the run's loop; nothing
 * waits in a thread. Only {@link #start}, {@link #finish} and {@link #interrupt} are for others.
 */
public final class NetRun {
  private static final long DRAIN_SECONDS = 30;
  private static final long LAST_WORDS_MILLIS = 500;

  /** For so long after its end a run waits for the first byte, such as on an overloaded machine. */
  private static final long PATIENCE_MICROS = 10_000_000;

  private static final long LOOK_MICROS = 10_000;

  private final NetPlan plan;
  private final Latencies latencies;
  private final Consumer<RunSample> onSample;
  private final RunLoops.Lease lease;
  private final EventLoop loop;
  private final MicroClock clock = MicroClock.system();
  private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final CompletableFuture<Void> timeIsOver = new CompletableFuture<>();
  private final List<RunSample> samples = new ArrayList<>();
  private final List<RunSample.Report> reports = new ArrayList<>();
  private CompletableFuture<Void> sampling = CompletableFuture.completedFuture(null);
  private @Nullable ServerLink opened;
  private @Nullable RunFlows open;
  private boolean measures;
  private @Nullable Counts latest;
  private FlowCounts lastServerReceived = FlowCounts.NONE;
  private FlowCounts lastServerSent = FlowCounts.NONE;
  private FlowCounts sentAtMark = FlowCounts.NONE;
  private FlowCounts receivedAtMark = FlowCounts.NONE;
  private long startMicros;
  private long markMicros;
  private long endMicros;
  private long cpuAtMark;

  private NetRun(NetPlan plan, RunLoops loops, Latencies latencies, Consumer<RunSample> onSample) {
    this.plan = plan;
    this.latencies = latencies;
    this.onSample = onSample;
    lease = loops.lease();
    loop = lease.loop().loop();
  }

  /**
   * Begins one; any thread.
   *
   * @param latencies takes the round trips of stop-and-wait
   * @param onSample hears of each interval, on the run's loop; must not block
   */
  public static NetRun start(
      NetPlan plan, RunLoops loops, Latencies latencies, Consumer<RunSample> onSample) {
    NetRun run = new NetRun(plan, loops, latencies, onSample);
    run.loop.execute(run::connect);
    var unused = run.outcome.whenCompleteAsync((done, failure) -> run.close(), run.loop);
    return run;
  }

  /** What it found, also when it broke half-way; fails with the reason when it could not begin. */
  public CompletableFuture<RunOutcome> outcome() {
    return outcome;
  }

  /** Its time is over now, in an orderly way; any thread. */
  public void finish() {
    loop.execute(() -> timeIsOver.complete(null));
  }

  /** Ends it with what there is, as incomplete; any thread. */
  public void interrupt() {
    EbbException why = new EbbException(ExitCode.INCOMPLETE, "interrupted before the end");
    loop.execute(
        () -> {
          interrupted.completeExceptionally(why);
          if (!measures) {
            outcome.completeExceptionally(why);
          }
        });
  }

  private void connect() {
    ServerLink.Call call =
        new ServerLink.Call(
            plan.server(),
            Purpose.SESSION,
            plan.reservation(),
            plan.key(),
            plan.local(),
            plan.connectTimeoutMillis());
    var unused =
        ServerLink.open(lease.loop(), call, clock, this::onCounts)
            .thenCompose(
                link -> {
                  opened = link;
                  if (outcome.isDone()) {
                    link.close(); // Interrupted meanwhile; what follows fails.
                  }
                  return link.begin(plan.spec());
                })
            .thenCompose(
                port -> {
                  RunFlows flows = new RunFlows(plan.flows().forRun(new Context(link(), port)));
                  open = flows;
                  return within(
                      plan.connectTimeoutMillis() + 1_000,
                      CompletableFuture.anyOf(flows.open(plan.spec(), loop), link().lost()));
                })
            .thenCompose(connected -> measure())
            .whenComplete(
                (found, failure) -> {
                  if (failure == null) {
                    outcome.complete(found);
                  } else {
                    outcome.completeExceptionally(unwrapped(failure));
                  }
                });
  }

  private void close() {
    if (open != null) {
      open.close();
    }
    if (opened != null) {
      opened.close();
    }
    lease.close();
  }

  private ServerLink link() {
    return Objects.requireNonNull(opened);
  }

  private RunFlows flows() {
    return Objects.requireNonNull(open);
  }

  private CompletableFuture<RunOutcome> measure() {
    measures = true;
    link().send(new Go());
    startMicros = clock.nowMicros();
    markMicros = startMicros;
    endMicros = startMicros;
    cpuAtMark = CpuTime.nanos();
    flows().start();
    return untilOver()
        .thenCompose(over -> flows().ask())
        .thenCompose(
            figures -> {
              flows().remember(figures);
              return plan.abrupt() ? flows().dropSenders() : drained(flows().finishSenders());
            })
        .thenComposeAsync(
            finished -> {
              endMicros = clock.nowMicros();
              link().send(new Stop());
              return drained(link().lastCounts());
            },
            loop)
        .thenCompose(told -> drained(flows().drainReceivers()))
        .thenRunAsync(
            () -> {
              if (!plan.spec().up()) {
                // What was under way at the end is counted, and so is the time until it was here.
                endMicros = Math.max(endMicros, flows().lastArrivalMicros());
              }
            },
            loop)
        .handle((done, failure) -> failure == null ? null : unwrapped(failure))
        .thenComposeAsync(this::conclude, loop);
  }

  /**
   * Until the time is over, or all has been sent that was asked for; fails when something breaks.
   */
  private CompletableFuture<Void> untilOver() {
    List<CompletableFuture<?>> all = new ArrayList<>(List.of(flows().sentAll()));
    if (plan.spec().down()) {
      all.add(link().sentAll());
    }
    if (plan.spec().amountBytes() > 0) {
      var unused =
          CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
              .thenRunAsync(() -> timeIsOver.complete(null), loop);
    }
    new Pacemaker().tick();
    return CompletableFuture.anyOf(timeIsOver, link().lost(), interrupted, flows().broken())
        .thenRunAsync(() -> {}, loop);
  }

  /** When samples are due, and when the warm-up and the whole are over. */
  private final class Pacemaker {
    private long nextSample = startMicros + plan.intervalMicros();
    private long mark =
        plan.warmUpMicros() > 0 ? startMicros + plan.warmUpMicros() : Long.MAX_VALUE;
    private long end =
        plan.durationMicros() > 0
            ? startMicros + plan.warmUpMicros() + plan.durationMicros()
            : Long.MAX_VALUE;

    private void tick() {
      long now = clock.nowMicros();
      if (timeIsOver.isDone() || outcome.isDone()) {
        return;
      }
      if (now >= mark) {
        mark = Long.MAX_VALUE;
        after(
            sample(true),
            () -> {
              markFlows();
              nextSample = markMicros + plan.intervalMicros();
              // What was promised is measured in full, however late the mark was.
              end = plan.durationMicros() > 0 ? markMicros + plan.durationMicros() : end;
            });
      } else if (now >= nextSample && nextSample < end) {
        nextSample += plan.intervalMicros();
        after(sample(mark != Long.MAX_VALUE), () -> {});
      } else if (now >= end && (hasMoved() || now - end >= PATIENCE_MICROS)) {
        timeIsOver.complete(null);
      } else {
        long wait =
            now >= end ? LOOK_MICROS : Math.max(1, Math.min(Math.min(nextSample, mark), end) - now);
        var unused = loop.schedule(this::tick, wait, TimeUnit.MICROSECONDS);
      }
    }

    private void after(CompletableFuture<Void> sampled, Runnable then) {
      var unused =
          sampled.thenRunAsync(
              () -> {
                then.run();
                tick();
              },
              loop);
    }
  }

  /** Whether something has gone each way that was asked for, after the warm-up. */
  private boolean hasMoved() {
    return (!plan.spec().up() || flows().total(true).bytes() > sentAtMark.bytes())
        && (!plan.spec().down() || flows().total(false).bytes() > receivedAtMark.bytes());
  }

  private void markFlows() {
    link().send(new Mark());
    sentAtMark = flows().total(true);
    receivedAtMark = flows().total(false);
    latencies.reset();
    flows().mark();
    markMicros = clock.nowMicros();
    cpuAtMark = CpuTime.nanos();
  }

  /** What is under way arrives soon, or the run is incomplete. */
  private <T> CompletableFuture<T> drained(CompletableFuture<T> done) {
    CompletableFuture<T> drained = new CompletableFuture<>();
    var unused =
        CompletableFuture.anyOf(done, link().lost(), interrupted)
            .orTimeout(DRAIN_SECONDS, TimeUnit.SECONDS)
            .whenCompleteAsync(
                (any, failure) -> {
                  if (failure == null) {
                    drained.complete(done.join());
                  } else if (unwrapped(failure) instanceof TimeoutException late) {
                    drained.completeExceptionally(
                        new EbbException(
                            ExitCode.INCOMPLETE,
                            "what was under way had not arrived "
                                + DRAIN_SECONDS
                                + " s after the end",
                            late));
                  } else {
                    drained.completeExceptionally(failure);
                  }
                },
                loop);
    return drained;
  }

  private static <T> CompletableFuture<T> within(long millis, CompletableFuture<T> done) {
    return done.orTimeout(millis, TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    unwrapped(failure) instanceof TimeoutException late
                        ? new EbbException(
                            ExitCode.CANNOT_CONNECT, "no flow of data to the server", late)
                        : failure));
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? unwrapped(failure.getCause())
        : failure;
  }

  private static EbbException known(Throwable failure) {
    return unwrapped(failure) instanceof EbbException known
        ? known
        : new EbbException(ExitCode.INTERNAL, String.valueOf(failure), failure);
  }

  /** A server that ends resets its connections and says why: its words are the better ones. */
  private CompletableFuture<@Nullable EbbException> reason(@Nullable Throwable failure) {
    if (failure == null || interrupted.isDone()) {
      return CompletableFuture.completedFuture(failure == null ? null : known(failure));
    }
    return link()
        .lost()
        .copy()
        .orTimeout(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)
        .handle(
            (never, told) ->
                told == null || unwrapped(told) instanceof TimeoutException
                    ? known(failure)
                    : known(told));
  }

  private CompletableFuture<RunOutcome> conclude(@Nullable Throwable failure) {
    if (failure != null) {
      endMicros = Math.max(endMicros, clock.nowMicros());
    }
    long cpu = CpuTime.nanos() - cpuAtMark;
    return reason(failure)
        .thenComposeAsync(
            why -> sample(false).thenApplyAsync(sampled -> found(cpu, why), loop), loop)
        .thenCompose(found -> link().end().thenApply(said -> found));
  }

  /** One interval more, when the one before has been told. */
  private CompletableFuture<Void> sample(boolean warmUp) {
    sampling =
        sampling.thenComposeAsync(
            before -> {
              long now = clock.nowMicros();
              long from = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).toMicros();
              long to = Math.max(from, now - startMicros);
              return flows()
                  .ask()
                  .thenAcceptAsync(
                      figures -> add(from, to, warmUp, flows().sample(figures, to - from)), loop);
            },
            loop);
    return sampling;
  }

  private void add(long from, long to, boolean warmUp, List<FlowSample> flows) {
    FlowCounts received = latest == null ? FlowCounts.NONE : latest.received();
    FlowCounts sent = latest == null ? FlowCounts.NONE : latest.sent();
    RunSample sample =
        new RunSample(
            startMicros,
            from,
            to,
            warmUp,
            flows,
            List.copyOf(reports),
            received.since(lastServerReceived),
            sent.since(lastServerSent),
            latencies.sinceLast());
    reports.clear();
    lastServerReceived = received;
    lastServerSent = sent;
    samples.add(sample);
    onSample.accept(sample);
  }

  private void onCounts(long atMicros, Counts counts) {
    latest = counts;
    reports.add(new RunSample.Report(atMicros, counts.received().bytes()));
  }

  private RunOutcome found(long cpuNanos, @Nullable EbbException failure) {
    FlowCounts none = FlowCounts.NONE;
    Counts server = latest == null ? new Counts(false, 0, none, none, none, none) : latest;
    BothEnds up = new BothEnds(flows().total(true), server.received());
    BothEnds down = new BothEnds(server.sent(), flows().total(false));
    BothEnds measuredUp = up.since(new BothEnds(sentAtMark, server.receivedAtMark()));
    BothEnds measuredDown = down.since(new BothEnds(server.sentAtMark(), receivedAtMark));
    return new RunOutcome(
        plan,
        List.copyOf(samples),
        endMicros - markMicros,
        measuredUp,
        measuredDown,
        up,
        down,
        latencies.fromSent(),
        latencies.fromPlanned(),
        link().clockErrorMicros(),
        link().clockOffsetMicros(),
        flows().facts(),
        server.last(),
        cpuNanos,
        failure != null ? failure : nothingMoved(measuredUp, measuredDown));
  }

  /** Why a run whose time was over has measured nothing; null when it has. */
  private @Nullable EbbException nothingMoved(BothEnds up, BothEnds down) {
    if (plan.durationMicros() == 0 || plan.abrupt()) {
      return null;
    }
    boolean upMissing = plan.spec().up() && isNothing(up);
    if (!upMissing && !(plan.spec().down() && isNothing(down))) {
      return null;
    }
    return new EbbException(
        ExitCode.INCOMPLETE,
        String.format(
            Locale.ROOT,
            "nothing arrived %s the server in %.1f s",
            upMissing ? "at" : "from",
            (endMicros - markMicros) / 1e6));
  }

  /** Datagrams that were sent and lost are a result. */
  private boolean isNothing(BothEnds ends) {
    return ends.received().bytes() == 0
        && !(plan.mechanism().isDatagrams() && ends.sent().bytes() > 0);
  }

  /** What the flows have to know. */
  private final class Context implements ClientRun {
    private final ServerLink link;
    private final InetSocketAddress server;

    Context(ServerLink link, int port) {
      this.link = link;
      server = new InetSocketAddress(plan.server().getAddress(), port);
    }

    @Override
    public TestSpec spec() {
      return plan.spec();
    }

    @Override
    public Token token() {
      return link.token();
    }

    @Override
    public InetSocketAddress server() {
      return server;
    }

    @Override
    public @Nullable InetSocketAddress bound() {
      return plan.local();
    }

    @Override
    public InetAddress localAddress() {
      return link.localAddress();
    }

    @Override
    public long connectTimeoutMillis() {
      return plan.connectTimeoutMillis();
    }

    @Override
    public MicroClock clock() {
      return clock;
    }

    @Override
    public Latencies latencies() {
      return latencies;
    }

    @Override
    public NetLoop loop() {
      return lease.loop();
    }

    @Override
    public <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
      return lease.shared(type, maker);
    }
  }
}
