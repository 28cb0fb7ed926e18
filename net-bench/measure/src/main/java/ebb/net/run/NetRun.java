package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.MicroClock;
import ebb.core.units.Human;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.flow.FlowLook;
import ebb.net.flow.Latencies;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

  /**
   * After the time of a stream, what is under way may still arrive for so long and a round trip.
   */
  private static final long TIMED_GRACE_MICROS = 250_000;

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
  private @Nullable ServerLink opened;
  private @Nullable RunFlows open;
  private @Nullable RunPace pace;
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

  private void turnedOut(NetPlan actual) {
    plan = actual;
    findings.plan(actual);
  }

  private CompletableFuture<Integer> begin(RunCall.Answered answered) {
    ServerLink link = answered.link();
    opened = link;
    turnedOut(answered.plan());
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
        new RunCall(lease.loop(), clock, findings::onCounts, outcome::isDone)
            .call(plan)
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
                    outcome.completeExceptionally(RunCall.unwrapped(failure));
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
    // Only then may the server send: its first bytes count, however soon they are here.
    findings.start(flows(), link().serverClock(), clock.nowMicros());
    link().send(new Go());
    RunPace started =
        new RunPace(
            plan, findings, flows(), clock, loop, timeIsOver, () -> link().send(new Mark()));
    pace = started;
    flows().start();
    // The first look takes long, while Java loads what it needs.
    var unused = flows().look(clock);
    return untilOver(started)
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
        .handle((done, failure) -> failure == null ? null : RunCall.unwrapped(failure))
        .thenComposeAsync(this::conclude, loop);
  }

  /**
   * Until the time is over, or all has been sent that was asked for; fails when something breaks.
   */
  private CompletableFuture<Void> untilOver(RunPace started) {
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
    started.start();
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
                  } else if (RunCall.unwrapped(failure) instanceof TimeoutException late) {
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
                    RunCall.unwrapped(failure) instanceof TimeoutException late
                        ? new EbbException(
                            ExitCode.CANNOT_CONNECT, "no flow of data to the server", late)
                        : failure));
  }

  private static EbbException known(Throwable failure) {
    return RunCall.unwrapped(failure) instanceof EbbException known
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
                told == null || RunCall.unwrapped(told) instanceof TimeoutException
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
                Objects.requireNonNull(pace)
                    .last()
                    .thenApplyAsync(sampled -> findings.outcome(flows(), why), loop),
            loop)
        .thenCompose(found -> link().end().thenApply(said -> found));
  }
}
