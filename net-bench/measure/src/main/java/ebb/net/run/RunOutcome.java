package ebb.net.run;

import ebb.core.cli.EbbException;
import ebb.core.stats.LatencyHistogram;
import ebb.net.client.ServerClock;
import ebb.net.control.FlowCounts;
import ebb.net.control.OneWay;
import ebb.net.control.TestSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run found out.
 *
 * @param plan what was asked for
 * @param samples in order
 * @param measuredMicros without the warm-up, until the last of both directions had come
 * @param receivingMicros of each direction, without the warm-up, until its last byte came; each by
 *     the clock of the end that received
 * @param measuredUp what went to the server, after the warm-up
 * @param measuredDown what came from the server, after the warm-up
 * @param wholeUp what went to the server, warm-up included
 * @param wholeDown what came from the server, warm-up included
 * @param latency round trips of stop-and-wait, from sending
 * @param plannedLatency round trips of stop-and-wait, from when the pace planned to send
 * @param clocks how well the server's clock was known here
 * @param facts words about the flows, such as the congestion control
 * @param serverCounted whether the server gave its last counts
 * @param droppedBytes which had been written and had not come when the time was over; they count as
 *     not sent
 * @param cpuNanos of this process while it was measured
 * @param failure why it is incomplete; null when it is complete
 */
public record RunOutcome(
    NetPlan plan,
    List<RunSample> samples,
    long measuredMicros,
    Receiving receivingMicros,
    BothEnds measuredUp,
    BothEnds measuredDown,
    BothEnds wholeUp,
    BothEnds wholeDown,
    LatencyHistogram latency,
    LatencyHistogram plannedLatency,
    ServerClock.Comparison clocks,
    List<String> facts,
    boolean serverCounted,
    long droppedBytes,
    long cpuNanos,
    @Nullable EbbException failure) {
  /** So many round trips from the planned time are not one answer that was late. */
  private static final int BACKLOG = 2;

  /** What the two ends of one direction have counted. */
  public record BothEnds(FlowCounts sent, FlowCounts received) {
    BothEnds since(BothEnds earlier) {
      return new BothEnds(sent.since(earlier.sent), received.since(earlier.received));
    }

    /** What had been written and had not come when all was dropped. */
    long unreceivedBytes() {
      return Math.max(0, sent.bytes() - received.bytes());
    }

    /** The same without what was dropped in the end: what came is what was sent. */
    BothEnds asReceived() {
      return new BothEnds(sent.of(received.bytes(), received.messages()), received);
    }

    /** Messages that left and did not come, for good. */
    public long missing() {
      return Math.max(0, sent.messages() - received.messages());
    }

    /** The part of the messages that did not come; NaN when there were none. */
    public double lossRatio() {
      return sent.messages() == 0 ? Double.NaN : (double) missing() / sent.messages();
    }
  }

  /** How long each end received. */
  public record Receiving(long up, long down) {}

  /** One direction after the warm-up: to the server, or from it. */
  public BothEnds measured(boolean up) {
    return up ? measuredUp : measuredDown;
  }

  /** One direction over the whole run: to the server, or from it. */
  public BothEnds whole(boolean up) {
    return up ? wholeUp : wholeDown;
  }

  /** Whether the server has told anything of one direction: an iperf3 that stops tells nothing. */
  public boolean serverTold(boolean up) {
    return serverCounted || (up ? wholeUp.received : wholeDown.sent).bytes() > 0;
  }

  /** What the two ends do not agree on, one line each; for UDP's streams loss is no such thing. */
  public List<String> disagreements() {
    List<String> lines = new ArrayList<>();
    if (!serverCounted) {
      lines.add("the server did not give its last counts");
      return lines;
    }
    if (plan.abrupt() || plan.iperf3()) {
      return lines; // iperf3 stops counting when it is told to, whatever is under way.
    }
    if (plan.spec().up()) {
      disagreement("to the server", wholeUp).ifPresent(lines::add);
    }
    if (plan.spec().down()) {
      disagreement("from the server", wholeDown).ifPresent(lines::add);
    }
    long corrupt = wholeUp.received.corrupt() + wholeDown.received.corrupt();
    if (corrupt > 0) {
      lines.add(corrupt + " pieces did not hold the bytes that were sent");
    }
    return lines;
  }

  private Optional<String> disagreement(String where, BothEnds whole) {
    boolean mayLose =
        plan.mechanism().isDatagrams() && plan.spec().mode() != TestSpec.Mode.STOP_AND_WAIT;
    boolean differ =
        mayLose
            ? whole.received.messages() > whole.sent.messages()
            : whole.received.bytes() != whole.sent.bytes();
    return differ
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%s: %d bytes in %d messages were sent, %d bytes in %d messages were received",
                where,
                whole.sent.bytes(),
                whole.sent.messages(),
                whole.received.bytes(),
                whole.received.messages()))
        : Optional.empty();
  }

  /**
   * How long datagrams took one way, towards the server or from it, after the warm-up; as wrong as
   * {@link #clocks} says.
   */
  public OneWay oneWay(boolean up) {
    return measured(up).received.oneWay();
  }

  /** Whether a delay is more than how far the clocks may be apart on a path that is even. */
  public boolean clocksTell(OneWay oneWay) {
    return oneWay.minMicros() > clocks.errorIfEvenMicros();
  }

  /** Words when stop-and-wait fell behind its pace for good, and not for an answer now and then. */
  public Optional<String> behindPlan() {
    double planned = plannedLatency.percentileMicros(50);
    boolean behind = latency.count() > 0 && planned > BACKLOG * latency.percentileMicros(50);
    return behind
        ? Optional.of(
            "the pace was not kept, and the times from the planned time are mostly that backlog")
        : Optional.empty();
  }

  /**
   * How long the receiver of one direction received: what it got in that time came over the path in
   * it, too. Without the server's last counts as long as the whole.
   */
  public long receivingMicros(boolean up) {
    long micros = up ? receivingMicros.up : receivingMicros.down;
    return serverCounted && micros > 0 ? micros : measuredMicros;
  }

  /** Bits a second of messages that arrived, towards the server or from it; NaN if not known. */
  public double receivedBitsPerSecond(boolean up) {
    return up && !serverTold(true)
        ? Double.NaN
        : rate(measured(up).received.bytes(), receivingMicros(up));
  }

  /** From when on it was steady; only of streams that nothing but the path was to bound. */
  public Optional<Steady> steady(boolean up) {
    boolean free =
        plan.spec().mode() == TestSpec.Mode.STREAMING && plan.spec().bitsPerSecond() == 0;
    return free ? Steady.of(samples, up) : Optional.empty();
  }

  /** Bits a second of messages that left, towards the server or from it; NaN if not known. */
  public double sentBitsPerSecond(boolean up) {
    return !up && !serverTold(false) ? Double.NaN : rate(measured(up).sent.bytes(), measuredMicros);
  }

  private static double rate(long bytes, long micros) {
    return micros == 0 ? Double.NaN : bytes * 8e6 / micros;
  }
}
