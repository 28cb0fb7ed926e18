package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.CpuTime;
import ebb.core.time.MicroClock;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.ControlMessage.Go;
import ebb.net.control.ControlMessage.Mark;
import ebb.net.control.ControlMessage.Stop;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec;
import ebb.net.flow.Latencies;
import ebb.net.run.RunFlow.Figures;
import ebb.net.run.RunOutcome.Whole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One measurement from the client's side: connects, lets the flows run, takes samples, ends them in
 * an orderly way and collects both ends' counts. {@link #measure} blocks; only {@link #interrupt}
 * is for other threads. The data itself stays on the event loops.
 */
public final class NetRun {
  private static final long DRAIN_SECONDS = 30;
  private static final long SAMPLE_WAIT_MILLIS = 200;
  private static final long LAST_WORDS_MILLIS = 500;
  private static final long UDP_QUIET_MICROS = 300_000;

  private final RunPlan plan;
  private final Latencies latencies;
  private final MicroClock clock = MicroClock.system();
  private final CompletableFuture<Void> interrupted = new CompletableFuture<>();
  private final List<RunSample> samples = new ArrayList<>();
  private volatile @Nullable Counts latest;
  private FlowCounts lastServerReceived = FlowCounts.NONE;
  private FlowCounts lastServerSent = FlowCounts.NONE;
  private FlowCounts sentAtMark = FlowCounts.NONE;
  private FlowCounts receivedAtMark = FlowCounts.NONE;
  private long startMicros;
  private long markMicros;
  private long endMicros;
  private long cpuAtMark;

  /**
   * A run that has not started.
   *
   * @param latencies takes the round trips of stop-and-wait
   */
  public NetRun(RunPlan plan, Latencies latencies) {
    this.plan = plan;
    this.latencies = latencies;
  }

  /** Makes {@link #measure} end with what there is. */
  public void interrupt() {
    interrupted.completeExceptionally(
        new EbbException(ExitCode.INCOMPLETE, "interrupted before the end"));
  }

  /**
   * Runs it.
   *
   * @param onSample hears of each interval, on this thread
   * @return also when it broke half-way
   * @throws EbbException when it could not begin
   */
  public RunOutcome measure(Consumer<RunSample> onSample) throws InterruptedException {
    try (RunLoops own = new RunLoops()) {
      return measure(own, onSample);
    }
  }

  /** The same, on loops that other runs use too. */
  public RunOutcome measure(RunLoops loops, Consumer<RunSample> onSample)
      throws InterruptedException {
    try (RunLoops.Lease lease = loops.lease()) {
      ServerLink.As as = new ServerLink.As(true, plan.key(), plan.local());
      try (ServerLink link =
              ServerLink.open(
                  lease.tcp(),
                  plan.server(),
                  clock,
                  as,
                  (at, counts) -> latest = counts,
                  plan.connectTimeoutMillis());
          RunFlows flows = new RunFlows(plan, lease, link.localAddress(), clock, latencies)) {
        return measure(link, flows, onSample);
      }
    }
  }

  private RunOutcome measure(ServerLink link, RunFlows flows, Consumer<RunSample> onSample)
      throws InterruptedException {
    int udpPort = link.begin(plan.spec(), plan.server(), plan.connectTimeoutMillis());
    flows.open(link.token(), udpPort);
    link.send(new Go());
    startMicros = clock.nowMicros();
    markMicros = startMicros;
    endMicros = startMicros;
    cpuAtMark = CpuTime.nanos();
    flows.flows().forEach(flow -> flow.end.start());
    EbbException failure = null;
    try {
      run(link, flows, onSample);
      for (RunFlow flow : flows.flows()) {
        flow.remember(answer(flow.ask()));
      }
      finish(link, flows);
      endMicros = clock.nowMicros();
      drain(link, flows);
      if (!plan.spec().up()) {
        // What was under way at the end is counted, and so is the time until it was here.
        endMicros = Math.max(endMicros, lastArrival(flows));
      }
    } catch (EbbException broken) {
      failure = broken;
      endMicros = Math.max(endMicros, clock.nowMicros());
    }
    long cpu = CpuTime.nanos() - cpuAtMark;
    sample(flows, onSample, false);
    RunOutcome outcome = outcome(link, flows, cpu, failure);
    link.end();
    return outcome;
  }

  /** Until the time is over or the amount has been sent. */
  private void run(ServerLink link, RunFlows flows, Consumer<RunSample> onSample)
      throws InterruptedException {
    CompletableFuture<Object> broken = broken(link, flows);
    CompletableFuture<Void> done = done(link, flows);
    CompletableFuture<Object> either = CompletableFuture.anyOf(broken, done);
    long nextSample = startMicros + plan.intervalMicros();
    long mark = plan.warmUpMicros() > 0 ? startMicros + plan.warmUpMicros() : Long.MAX_VALUE;
    long end =
        plan.durationMicros() > 0
            ? startMicros + plan.warmUpMicros() + plan.durationMicros()
            : Long.MAX_VALUE;
    while (true) {
      long now = clock.nowMicros();
      if (now >= mark) {
        mark = Long.MAX_VALUE;
        sample(flows, onSample, true);
        mark(link, flows);
        nextSample = markMicros + plan.intervalMicros();
        // What was promised is measured in full, however late the mark was.
        end = plan.durationMicros() > 0 ? markMicros + plan.durationMicros() : end;
      } else if (now >= nextSample && nextSample < end) {
        sample(flows, onSample, mark != Long.MAX_VALUE);
        nextSample += plan.intervalMicros();
      }
      if (now >= end) {
        return;
      }
      long wait = Math.min(Math.min(nextSample, mark), end) - now;
      if (isDone(either, Math.max(1, wait), link)) {
        return;
      }
    }
  }

  /** Whether it is done within the time; a failure is thrown. */
  private boolean isDone(CompletableFuture<?> future, long micros, ServerLink link)
      throws InterruptedException {
    try {
      future.get(micros, TimeUnit.MICROSECONDS);
      return true;
    } catch (TimeoutException goesOn) {
      return false;
    } catch (ExecutionException failed) {
      throw reason(failed, link);
    }
  }

  private void mark(ServerLink link, RunFlows flows) {
    link.send(new Mark());
    sentAtMark = total(flows, true);
    receivedAtMark = total(flows, false);
    latencies.reset();
    flows
        .flows()
        .forEach(
            flow -> {
              flow.end.tally().forgetOneWay();
              flow.end.mark();
            });
    markMicros = clock.nowMicros();
    cpuAtMark = CpuTime.nanos();
  }

  private CompletableFuture<Object> broken(ServerLink link, RunFlows flows) {
    List<CompletableFuture<?>> ends = new ArrayList<>(List.of(link.lost(), interrupted));
    for (RunFlow flow : flows.flows()) {
      // Only failures count here: a flow that has ended well is no reason to end the others.
      CompletableFuture<Void> failed = new CompletableFuture<>();
      var unused =
          flow.end
              .ended()
              .whenComplete(
                  (done, failure) -> {
                    if (failure != null) {
                      failed.completeExceptionally(failure);
                    }
                  });
      ends.add(failed);
    }
    return CompletableFuture.anyOf(ends.toArray(CompletableFuture<?>[]::new));
  }

  /** When both sides' senders have sent all that was asked of them. */
  private CompletableFuture<Void> done(ServerLink link, RunFlows flows) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    if (plan.spec().amountBytes() == 0) {
      all.add(new CompletableFuture<Void>());
    }
    if (plan.spec().down()) {
      all.add(link.sentAll());
    }
    for (RunFlow flow : flows.flows()) {
      if (flow.sending) {
        all.add(flow.end.sentAll());
      }
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
  }

  /** This side's senders end; for streams that is when the server has everything. */
  private void finish(ServerLink link, RunFlows flows) throws InterruptedException {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (RunFlow flow : flows.flows()) {
      if (flow.sending) {
        flow.end.finish();
        ends.add(flow.end.ended());
      }
    }
    await(link, CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)));
  }

  private void drain(ServerLink link, RunFlows flows) throws InterruptedException {
    link.send(new Stop());
    await(link, link.lastCounts());
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (RunFlow flow : flows.flows()) {
      if (flow.sending) {
        continue;
      }
      if (plan.spec().protocol() == TestSpec.Protocol.UDP) {
        waitForQuiet(link, flow);
        flow.end.finish();
      } else {
        ends.add(flow.end.ended());
      }
    }
    await(link, CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)));
  }

  private void waitForQuiet(ServerLink link, RunFlow flow) throws InterruptedException {
    long limit = clock.nowMicros() + TimeUnit.SECONDS.toMicros(DRAIN_SECONDS);
    for (long now = clock.nowMicros(); now < limit; now = clock.nowMicros()) {
      long left = flow.end.tally().lastMicros() + UDP_QUIET_MICROS - now;
      if (flow.end.tally().lastMicros() == Long.MIN_VALUE || left <= 0) {
        return;
      }
      if (isDone(link.lost(), left, link)) {
        return;
      }
    }
  }

  private void await(ServerLink link, CompletableFuture<?> done) throws InterruptedException {
    try {
      CompletableFuture.anyOf(done, link.lost(), interrupted).get(DRAIN_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      throw new EbbException(
          ExitCode.INCOMPLETE,
          "what was under way had not arrived " + DRAIN_SECONDS + " s after the end",
          late);
    } catch (ExecutionException failed) {
      throw reason(failed, link);
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

  private void sample(RunFlows flows, Consumer<RunSample> onSample, boolean warmUp)
      throws InterruptedException {
    long now = clock.nowMicros();
    long from = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).toMicros();
    List<CompletableFuture<Optional<Figures>>> asked =
        flows.flows().stream().map(RunFlow::ask).toList();
    List<FlowSample> taken = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      taken.add(flows.flows().get(i).sample(answer(asked.get(i)), now - startMicros - from));
    }
    Counts counts = latest;
    FlowCounts received = counts == null ? FlowCounts.NONE : counts.received();
    FlowCounts sent = counts == null ? FlowCounts.NONE : counts.sent();
    RunSample sample =
        new RunSample(
            from,
            Math.max(from, now - startMicros),
            warmUp,
            taken,
            received.since(lastServerReceived),
            sent.since(lastServerSent),
            latencies.sinceLast());
    lastServerReceived = received;
    lastServerSent = sent;
    samples.add(sample);
    onSample.accept(sample);
  }

  private static Optional<Figures> answer(CompletableFuture<Optional<Figures>> asked)
      throws InterruptedException {
    try {
      return asked.get(SAMPLE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException none) {
      return Optional.empty(); // A busy loop, or one that has ended.
    }
  }

  private static long lastArrival(RunFlows flows) {
    return flows.flows().stream()
        .filter(flow -> !flow.sending)
        .mapToLong(flow -> flow.end.tally().lastMicros())
        .max()
        .orElse(Long.MIN_VALUE);
  }

  private static FlowCounts total(RunFlows flows, boolean sending) {
    return FlowCounts.sum(
        flows.flows().stream()
            .filter(flow -> flow.sending == sending)
            .map(flow -> flow.end.tally().counts())
            .toList());
  }

  private RunOutcome outcome(
      ServerLink link, RunFlows flows, long cpuNanos, @Nullable EbbException failure) {
    FlowCounts sent = total(flows, true);
    FlowCounts received = total(flows, false);
    Counts counts = latest;
    boolean last = counts != null && counts.last();
    FlowCounts none = FlowCounts.NONE;
    FlowCounts serverReceived = counts == null ? none : counts.received();
    FlowCounts serverSent = counts == null ? none : counts.sent();
    return new RunOutcome(
        plan,
        List.copyOf(samples),
        endMicros - markMicros,
        sent.since(sentAtMark),
        received.since(receivedAtMark),
        counts == null ? none : serverReceived.since(counts.receivedAtMark()),
        counts == null ? none : serverSent.since(counts.sentAtMark()),
        new Whole(sent, serverReceived),
        new Whole(serverSent, received),
        latencies.fromSent(),
        latencies.fromPlanned(),
        link.clockErrorMicros(),
        link.clockOffsetMicros(),
        List.copyOf(flows.facts()),
        last,
        cpuNanos,
        failure);
  }
}
