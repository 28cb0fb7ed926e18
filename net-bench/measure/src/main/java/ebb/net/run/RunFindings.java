package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.stats.LatencyHistogram;
import ebb.core.time.CpuTime;
import ebb.net.client.ServerClock;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.control.TestSpec.Mode;
import ebb.net.flow.FlowLook;
import ebb.net.flow.Latencies;
import ebb.net.run.RunOutcome.BothEnds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a run has found so far: its intervals, both ends' counts, and since when they count. When
 * things happen is {@link NetRun}'s business. On the run's loop.
 */
final class RunFindings {
  private NetPlan plan;
  private final Latencies latencies;
  private final Consumer<RunSample> onSample;
  private final List<RunSample> samples = new ArrayList<>();
  private final List<RunSample.Report> reports = new ArrayList<>();
  private final Deque<Interval> untold = new ArrayDeque<>();
  private final ToldArrivals told = new ToldArrivals();
  private @Nullable RunFlows flows;
  private @Nullable ServerClock serverClock;
  private @Nullable Counts latest;
  private FlowCounts lastSent = FlowCounts.NONE;
  private FlowCounts lastReceived = FlowCounts.NONE;
  private long sampledMicros;
  private long toldBytes;
  private FlowCounts lastServerReceived = FlowCounts.NONE;
  private long latestMicros;
  private long lastServerMicros;
  private boolean dropped;
  private FlowCounts sentAtMark = FlowCounts.NONE;
  private FlowCounts receivedAtMark = FlowCounts.NONE;
  private long startMicros;
  private long markMicros;
  private long endMicros;
  private long cpuAtMark;
  private long cpuNanos;

  RunFindings(NetPlan plan, Latencies latencies, Consumer<RunSample> onSample) {
    this.plan = plan;
    this.latencies = latencies;
    this.onSample = onSample;
  }

  /** The server turned out to be another. */
  void plan(NetPlan actual) {
    plan = actual;
  }

  /** The flows start; what they do counts until {@link #mark} says otherwise. */
  void start(RunFlows started, ServerClock clock, long nowMicros) {
    flows = started;
    serverClock = clock;
    if (plan.spec().amountBytes() == 0) {
      // An iperf3 server may have begun a moment ago; an amount is to be counted in full.
      started.begin();
      sentAtMark = started.total(true);
      receivedAtMark = started.total(false);
    }
    startMicros = nowMicros;
    lastServerMicros = isTold() ? clock.toServer(nowMicros) : nowMicros;
    told.begin(lastServerMicros);
    markMicros = nowMicros;
    endMicros = nowMicros;
    cpuAtMark = CpuTime.nanos();
  }

  /**
   * Whether the server says in time what has come of the streams that are sent to it: what is
   * acknowledged in an interval came in another, and not as fast.
   */
  private boolean isTold() {
    return plan.spec().up()
        && plan.spec().mode() == Mode.STREAMING
        && !plan.mechanism().isDatagrams()
        && !plan.iperf3();
  }

  /** The warm-up ended with the interval before: what they do counts from there. */
  void mark(RunFlows marked) {
    sentAtMark = lastSent;
    receivedAtMark = lastReceived;
    latencies.reset();
    marked.mark();
    markMicros = startMicros + sampledMicros;
    cpuAtMark = CpuTime.nanos();
  }

  /** It has lasted until then, or longer. */
  void lasted(long untilMicros) {
    endMicros = Math.max(endMicros, untilMicros);
  }

  /** What had not come in the end was dropped, and is no part of the result. */
  void drop() {
    dropped = true;
  }

  /** CPU time is counted until now. */
  void stopCpu() {
    cpuNanos = CpuTime.nanos() - cpuAtMark;
  }

  long startMicros() {
    return startMicros;
  }

  long markMicros() {
    return markMicros;
  }

  /** The server has told what it counted. */
  void onCounts(long atMicros, Counts counts) {
    latest = counts;
    // iperf3 does not tell when.
    latestMicros = plan.iperf3() ? markMicros + counts.receivingMicros() : atMicros;
    reports.add(new RunSample.Report(latestMicros, counts.cameBytes()));
    RunFlows running = flows;
    if (running != null && isTold()) {
      told.add(counts.serverMicros(), counts.cameBytes(), counts.last());
      if (counts.last()) {
        lasted(atMicros);
      }
      tell(running);
    }
  }

  /** Whether something has gone each way that was asked for, after the warm-up. */
  boolean hasMoved(RunFlows flows) {
    return (!plan.spec().up() || flows.total(true).bytes() > sentAtMark.bytes())
        && (!plan.spec().down() || flows.total(false).bytes() > receivedAtMark.bytes());
  }

  /**
   * What is known of an interval when it ends.
   *
   * @param serverMicros its end on the server's clock
   * @param last whether it has whatever came until all was over
   */
  private record Interval(
      RunFlows.Seen seen,
      long fromMicros,
      long toMicros,
      long serverMicros,
      boolean last,
      boolean warmUp,
      LatencyHistogram latency) {}

  /**
   * Another interval ends at those looks. It is told when the server has said what came in it.
   *
   * @param last whether it ends with the run, as long ago as that was
   */
  void add(List<FlowLook> looks, boolean warmUp, boolean last) {
    RunFlows running = Objects.requireNonNull(flows);
    long from = sampledMicros;
    long ended = FlowLook.momentMicros(looks);
    ended = last ? Math.min(ended, endMicros) : ended;
    sampledMicros = Math.max(from, ended - startMicros);
    RunFlows.Seen seen = running.see(looks);
    lastSent = running.counts(seen, true);
    lastReceived = running.counts(seen, false);
    long serverMicros = Objects.requireNonNull(serverClock).toServer(startMicros + sampledMicros);
    untold.add(
        new Interval(seen, from, sampledMicros, serverMicros, last, warmUp, latencies.sinceLast()));
    tell(running);
  }

  private void tell(RunFlows running) {
    for (Interval next = untold.peek();
        next != null && (!isTold() || told.knows(next.serverMicros));
        next = untold.peek()) {
      untold.remove();
      tell(running, next, isTold());
    }
  }

  private void tell(RunFlows running, Interval interval, boolean byServer) {
    FlowCounts received = latest == null ? FlowCounts.NONE : latest.received();
    long serverMicros = Math.max(lastServerMicros, latestMicros);
    FlowCounts since = received.since(lastServerReceived);
    if (byServer) {
      // The last words are about all that came, whatever the clocks are worth.
      long end = interval.last ? told.lastMicros() : interval.serverMicros;
      serverMicros = Math.max(lastServerMicros, end);
      long came = told.at(interval.last ? Long.MAX_VALUE : serverMicros);
      since = FlowCounts.NONE.of(Math.max(0, came - toldBytes), 0);
      toldBytes = Math.max(toldBytes, came);
    }
    RunSample sample =
        new RunSample(
            startMicros,
            interval.fromMicros,
            interval.toMicros,
            interval.warmUp,
            running.sample(
                interval.seen,
                lengths(running, interval, byServer ? serverMicros - lastServerMicros : 0),
                byServer ? since.bytes() : -1),
            List.copyOf(reports),
            since,
            serverMicros - lastServerMicros,
            interval.latency);
    reports.clear();
    lastServerReceived = received;
    lastServerMicros = serverMicros;
    samples.add(sample);
    onSample.accept(sample);
  }

  /**
   * How long an interval was in each direction: the last one ends with the last byte, by the clock
   * of who received it, though the other's says that it was sooner.
   *
   * @param toldMicros what the server's words are about; 0 without
   */
  private RunOutcome.Receiving lengths(RunFlows running, Interval interval, long toldMicros) {
    long whole = interval.toMicros - interval.fromMicros;
    if (!interval.last) {
      return new RunOutcome.Receiving(whole, whole);
    }
    long sent = running.lastMicros(true) - startMicros - interval.fromMicros;
    long came = running.lastMicros(false) - startMicros - interval.fromMicros;
    boolean datagrams = plan.mechanism().isDatagrams();
    long up = toldMicros > 0 ? toldMicros : datagrams ? sent : whole;
    return new RunOutcome.Receiving(up <= 0 ? whole : up, came <= 0 ? whole : came);
  }

  /** Where the last interval ended, since the start. */
  long sampledMicros() {
    return sampledMicros;
  }

  /** What the server did not tell any more is told as far as this side knows. */
  private void tellTheRest(RunFlows running) {
    while (!untold.isEmpty()) {
      tell(running, untold.remove(), false);
    }
  }

  /** All of it; {@code failure} is why it is incomplete. */
  RunOutcome outcome(RunFlows ended, @Nullable EbbException failure) {
    tellTheRest(ended);
    FlowCounts none = FlowCounts.NONE;
    Counts server = latest == null ? new Counts(false, 0, 0, 0, none, none, none, none) : latest;
    BothEnds up = new BothEnds(ended.total(true), server.received());
    BothEnds down = new BothEnds(server.sent(), ended.total(false));
    BothEnds measuredUp = up.since(new BothEnds(sentAtMark, server.receivedAtMark()));
    BothEnds measuredDown = down.since(new BothEnds(server.sentAtMark(), receivedAtMark));
    long droppedBytes = 0;
    if (dropped && server.last()) {
      droppedBytes = up.unreceivedBytes() + down.unreceivedBytes();
      up = up.asReceived();
      down = down.asReceived();
      measuredUp = measuredUp.asReceived();
      measuredDown = measuredDown.asReceived();
    }
    return new RunOutcome(
        plan,
        List.copyOf(samples),
        endMicros - markMicros,
        new RunOutcome.Receiving(
            receivingMicros(server), Math.max(markMicros, ended.lastArrivalMicros()) - markMicros),
        measuredUp,
        measuredDown,
        up,
        down,
        latencies.fromSent(),
        latencies.fromPlanned(),
        plan.iperf3()
            ? ServerClock.Comparison.NONE
            : Objects.requireNonNull(serverClock).comparison(),
        ended.facts(),
        server.last(),
        droppedBytes,
        cpuNanos,
        failure != null ? failure : nothingMoved(measuredUp, measuredDown));
  }

  /**
   * How long the server received. Without a warm-up from when this side began: a server that is
   * late to hear of it, as when Java loads what it needs, has received for longer than it knows.
   */
  private long receivingMicros(Counts server) {
    boolean fromHere = server.last() && plan.warmUpMicros() == 0 && !plan.iperf3();
    return Math.max(server.receivingMicros(), fromHere ? latestMicros - markMicros : 0);
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
}
