package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.core.units.Human;
import ebb.net.client.ServerKind;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Purpose;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.flow.Latencies;
import ebb.net.iperf.Iperf3Client;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One measurement from the client's side: connects, lets the flows run, takes samples, ends them in
 * an orderly way and collects both ends' counts. All of it are steps on the run's loop; nothing
 * waits in a thread. What it finds is {@link RunFindings}'. Only {@link #start}, {@link #finish}
 * and {@link #interrupt} are for others.
 */
public final class NetRun {
  private static final long DRAIN_SECONDS = 30;
  private static final long LAST_WORDS_MILLIS = 500;

  /** For so long after its end a run waits for the first byte, such as on an overloaded machine. */
  private static final long PATIENCE_MICROS = 10_000_000;

  private static final long LOOK_MICROS = 10_000;

  /**
   * After the time of a stream, what is under way may still arrive for so long and a round trip.
   */
  private static final long TIMED_GRACE_MICROS = 250_000;

  /** Longer than it takes to ask the kernel about as many flows as there may be. */
  private static final long MOMENT_MICROS = 2_000;

  private static final int MAX_LOOKS = 5;

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private NetPlan plan;
  private final Latencies latencies;
  private final RunFindings findings;
  private final RunLoops.Lease lease;
  private final EventLoop loop;
  private final MicroClock clock = MicroClock.system();
  private final CompletableFuture<RunOutcome> outcome = new CompletableFuture<>();
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final CompletableFuture<Void> timeIsOver = new CompletableFuture<>();
  private CompletableFuture<Void> sampling = CompletableFuture.completedFuture(null);
  private @Nullable ServerLink opened;
  private @Nullable RunFlows open;
  private boolean measures;

  /** Nothing more is sent, and the server has been told. */
  private boolean stopped;

  private NetRun(NetPlan plan, RunLoops loops, Latencies latencies, Consumer<RunSample> onSample) {
    this.plan = plan;
    this.latencies = latencies;
    findings = new RunFindings(plan, latencies, onSample);
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

  private CompletableFuture<ServerLink> call(NetPlan plan) {
    ServerLink.Call call =
        new ServerLink.Call(
            plan.server(),
            Purpose.SESSION,
            plan.reservation(),
            plan.key(),
            plan.local(),
            plan.connectTimeoutMillis());
    Iperf3Client iperf3 =
        plan.kind() == ServerKind.EBB
            ? null
            : new Iperf3Client(plan.warmUpMicros() / 1_000_000, clock);
    return ServerLink.open(lease.loop(), call, clock, findings::onCounts, plan.kind(), iperf3);
  }

  /** Where nobody listens on Ebb's own port iperf3 may on its. */
  private CompletableFuture<ServerLink> call() {
    InetSocketAddress elsewhere = plan.elsewhere();
    CompletableFuture<ServerLink> called = call(plan);
    if (elsewhere == null) {
      return called;
    }
    return called.exceptionallyCompose(
        failure -> {
          boolean nobody =
              unwrapped(failure) instanceof EbbException known
                  && known.exitCode() == ExitCode.CANNOT_CONNECT
                  && !outcome.isDone();
          if (!nobody) {
            return CompletableFuture.failedFuture(failure);
          }
          NetPlan other = plan.at(elsewhere);
          return call(other)
              .thenApply(
                  link -> {
                    turnedOut(other);
                    return link;
                  })
              .exceptionallyCompose(
                  none ->
                      CompletableFuture.failedFuture(
                          new EbbException(
                              ExitCode.CANNOT_CONNECT,
                              unwrapped(failure).getMessage()
                                  + "; nor is there an 'iperf3 -s' on port "
                                  + elsewhere.getPort(),
                              failure)));
        });
  }

  private void turnedOut(NetPlan actual) {
    plan = actual;
    findings.plan(actual);
  }

  private CompletableFuture<Integer> begin(ServerLink link) {
    opened = link;
    if (outcome.isDone()) {
      link.close(); // Interrupted meanwhile; what follows fails.
    }
    if (link.foreign() != null && !plan.iperf3()) {
      try {
        turnedOut(plan.byIperf3());
      } catch (IllegalArgumentException cannot) {
        return CompletableFuture.failedFuture(
            new EbbException(
                ExitCode.REFUSED_OR_BUSY,
                "the server is 'iperf3 -s': " + cannot.getMessage(),
                cannot));
      }
    }
    plan.onServer().accept(plan);
    return link.begin(plan.spec());
  }

  private void connect() {
    var unused =
        call()
            .thenCompose(this::begin)
            .thenCompose(
                port -> {
                  RunFlows flows =
                      new RunFlows(
                          plan.flows()
                              .forRun(new RunContext(plan, link(), port, clock, latencies, lease)));
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
    findings.start(flows(), clock.nowMicros());
    flows().start();
    // The first look takes long, while Java loads what it needs.
    var unused = flows().look(clock);
    return untilOver()
        .thenCompose(over -> flows().look(clock))
        .thenCompose(
            looks -> {
              flows().remember(looks);
              return endSenders(looks);
            })
        .thenComposeAsync(
            finished -> {
              findings.lasted(clock.nowMicros());
              stopped = true;
              link().send(new Stop());
              return plan.timedStream()
                  ? inTime(flows().drainReceivers(), false, graceMicros())
                  : DONE;
            },
            loop)
        .thenCompose(received -> drained(link().lastCounts()))
        .thenCompose(told -> drained(plan.timedStream() ? DONE : flows().drainReceivers()))
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
    CompletableFuture<Void> silent = new CompletableFuture<>();
    if (plan.spec().down() && plan.receiveTimeoutMicros() > 0) {
      watchArrivals(silent);
    }
    new Pacemaker().tick();
    return CompletableFuture.anyOf(timeIsOver, link().lost(), interrupted, flows().broken(), silent)
        .thenRunAsync(() -> {}, loop);
  }

  /** A server that sends no more ends the run, whatever it was to send. */
  private void watchArrivals(CompletableFuture<Void> silent) {
    long last = Math.max(findings.startMicros(), flows().lastArrivalMicros());
    long patience = plan.receiveTimeoutMicros() + plan.spec().messageIntervalMicros();
    long left = last + patience - clock.nowMicros();
    if (left <= 0) {
      silent.completeExceptionally(
          new EbbException(
              ExitCode.INCOMPLETE,
              "nothing came from the server for " + Human.micros(patience) + " (--rcv-timeout)"));
    } else if (!timeIsOver.isDone() && !outcome.isDone()) {
      var unused = loop.schedule(() -> watchArrivals(silent), left, TimeUnit.MICROSECONDS);
    }
  }

  /** When samples are due, and when the warm-up and the whole are over. */
  private final class Pacemaker {
    private long nextSample = findings.startMicros() + plan.intervalMicros();
    private long mark =
        plan.warmUpMicros() > 0 ? findings.startMicros() + plan.warmUpMicros() : Long.MAX_VALUE;
    private long end =
        plan.durationMicros() > 0
            ? findings.startMicros() + plan.warmUpMicros() + plan.durationMicros()
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
              nextSample = findings.markMicros() + plan.intervalMicros();
              // What was promised is measured in full, however late the mark was.
              end = plan.durationMicros() > 0 ? findings.markMicros() + plan.durationMicros() : end;
            });
      } else if (now >= nextSample && nextSample < end) {
        after(sample(mark != Long.MAX_VALUE), this::later);
      } else if (now >= end && (findings.hasMoved(flows()) || now - end >= PATIENCE_MICROS)) {
        timeIsOver.complete(null);
      } else {
        long wait =
            now >= end ? LOOK_MICROS : Math.max(1, Math.min(Math.min(nextSample, mark), end) - now);
        var unused = loop.schedule(this::tick, wait, TimeUnit.MICROSECONDS);
      }
    }

    /** Who is late leaves intervals out: one of a few moments would have any rate. */
    private void later() {
      long sampled = findings.startMicros() + findings.sampledMicros();
      while (nextSample - sampled < plan.intervalMicros() / 2) {
        nextSample += plan.intervalMicros();
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

  private void markFlows() {
    link().send(new Mark());
    findings.mark(flows(), clock.nowMicros());
  }

  private CompletableFuture<Void> endSenders(List<FlowLook> looks) {
    if (plan.abrupt()) {
      return flows().dropSenders();
    }
    if (!plan.timedStream()) {
      return drained(flows().finishSenders());
    }
    // Who cannot make it need not be waited for.
    long ranMicros = clock.nowMicros() - findings.startMicros();
    long grace = flows().pendingMicros(looks, ranMicros) > graceMicros() ? 0 : graceMicros();
    return inTime(flows().finishSenders(), true, grace);
  }

  private long graceMicros() {
    return TIMED_GRACE_MICROS + link().serverClock().tripMicros();
  }

  /** A time that was asked for is kept: what has not ended soon after it is dropped. */
  private CompletableFuture<Void> inTime(
      CompletableFuture<Void> ended, boolean sending, long graceMicros) {
    CompletableFuture<Void> over =
        new CompletableFuture<Void>().completeOnTimeout(null, graceMicros, TimeUnit.MICROSECONDS);
    return CompletableFuture.anyOf(ended, over, link().lost(), interrupted)
        .thenRunAsync(
            () -> {
              if (!ended.isDone()) {
                findings.drop();
                flows().drop(sending);
              }
            },
            loop);
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
    // What was under way at the end is counted, and so is the time until it was here; the wait for
    // what never comes is not.
    findings.lasted(stopped ? flows().lastArrivalMicros() : clock.nowMicros());
    findings.stopCpu();
    return reason(failure)
        .thenComposeAsync(
            why ->
                sample(false, findings.endMicros())
                    .thenApplyAsync(sampled -> findings.outcome(flows(), link(), why), loop),
            loop)
        .thenCompose(found -> link().end().thenApply(said -> found));
  }

  /** Looks that are close together: where one had to wait for a CPU, a few times more. */
  private CompletableFuture<List<FlowLook>> ofOneMoment(int looksLeft) {
    return flows()
        .look(clock)
        .thenCompose(
            looks ->
                looksLeft <= 1 || FlowLook.apartMicros(looks) < MOMENT_MICROS
                    ? CompletableFuture.completedFuture(looks)
                    : ofOneMoment(looksLeft - 1));
  }

  /** The interval ended when it was looked at. */
  private void add(List<FlowLook> looks, boolean warmUp, long untilMicros) {
    long at = Math.min(FlowLook.lastMicros(looks), untilMicros);
    long from = findings.sampledMicros();
    long to = Math.max(from, at - findings.startMicros());
    findings.add(flows(), looks, from, to, warmUp);
  }

  /** One interval more, when the one before has been told. */
  private CompletableFuture<Void> sample(boolean warmUp) {
    return sample(warmUp, Long.MAX_VALUE);
  }

  /** The same, until then or until now. */
  private CompletableFuture<Void> sample(boolean warmUp, long untilMicros) {
    sampling =
        sampling.thenComposeAsync(
            before -> {
              return ofOneMoment(MAX_LOOKS)
                  .thenAcceptAsync(looks -> add(looks, warmUp, untilMicros), loop);
            },
            loop);
    return sampling;
  }
}
