package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.time.CpuTime;
import ebb.net.client.ServerClock;
import ebb.net.client.ServerLink;
import ebb.net.control.ControlMessage.Counts;
import ebb.net.control.FlowCounts;
import ebb.net.flow.Latencies;
import ebb.net.run.RunOutcome.BothEnds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
  private @Nullable Counts latest;
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
  void start(RunFlows flows, long nowMicros) {
    if (plan.spec().amountBytes() == 0) {
      // An iperf3 server may have begun a moment ago; an amount is to be counted in full.
      flows.begin();
      sentAtMark = flows.total(true);
      receivedAtMark = flows.total(false);
    }
    startMicros = nowMicros;
    lastServerMicros = nowMicros;
    markMicros = nowMicros;
    endMicros = nowMicros;
    cpuAtMark = CpuTime.nanos();
  }

  /** The warm-up is over: what they do counts from here. */
  void mark(RunFlows flows, long nowMicros) {
    sentAtMark = flows.total(true);
    receivedAtMark = flows.total(false);
    latencies.reset();
    flows.mark();
    markMicros = nowMicros;
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

  /** When it was over; the last interval ends then, and not when all has been told. */
  long endMicros() {
    return endMicros;
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
    // The last words come when nothing more can; what they are about came before.
    latestMicros = counts.last() ? markMicros + counts.receivingMicros() : atMicros;
    reports.add(new RunSample.Report(atMicros, counts.received().bytes()));
  }

  /** Whether something has gone each way that was asked for, after the warm-up. */
  boolean hasMoved(RunFlows flows) {
    return (!plan.spec().up() || flows.total(true).bytes() > sentAtMark.bytes())
        && (!plan.spec().down() || flows.total(false).bytes() > receivedAtMark.bytes());
  }

  /** Another interval ends now; {@code looks} are those at the flows. */
  void add(RunFlows flows, List<FlowLook> looks, long fromMicros, long toMicros, boolean warmUp) {
    FlowCounts received = latest == null ? FlowCounts.NONE : latest.received();
    long serverMicros = Math.max(lastServerMicros, latestMicros);
    RunSample sample =
        new RunSample(
            startMicros,
            fromMicros,
            toMicros,
            warmUp,
            flows.sample(looks, toMicros - fromMicros),
            List.copyOf(reports),
            received.since(lastServerReceived),
            serverMicros - lastServerMicros,
            latencies.sinceLast());
    reports.clear();
    lastServerReceived = received;
    lastServerMicros = serverMicros;
    samples.add(sample);
    onSample.accept(sample);
  }

  /** Where the last interval ended, since the start. */
  long sampledMicros() {
    return samples.isEmpty() ? 0 : samples.get(samples.size() - 1).toMicros();
  }

  /** All of it; {@code failure} is why it is incomplete. */
  RunOutcome outcome(RunFlows flows, ServerLink link, @Nullable EbbException failure) {
    FlowCounts none = FlowCounts.NONE;
    Counts server = latest == null ? new Counts(false, 0, 0, none, none, none, none) : latest;
    BothEnds up = new BothEnds(flows.total(true), server.received());
    BothEnds down = new BothEnds(server.sent(), flows.total(false));
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
            server.receivingMicros(), Math.max(markMicros, flows.lastArrivalMicros()) - markMicros),
        measuredUp,
        measuredDown,
        up,
        down,
        latencies.fromSent(),
        latencies.fromPlanned(),
        plan.iperf3() ? ServerClock.Comparison.NONE : link.serverClock().comparison(),
        flows.facts(),
        server.last(),
        droppedBytes,
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
}
