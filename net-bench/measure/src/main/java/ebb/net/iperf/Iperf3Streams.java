package ebb.net.iperf;

import ebb.core.time.CpuTime;
import ebb.core.time.MicroClock;
import ebb.net.control.FlowCounts;
import ebb.net.flow.FlowEnd;
import java.util.ArrayList;
import java.util.List;

/**
 * This side's ends of a test, in the order in which iperf3 numbers them, and since when they count.
 * Thread-safe.
 */
public final class Iperf3Streams {
  private record Member(FlowEnd end, boolean sending) {}

  private final List<Member> members = new ArrayList<>();
  private final List<FlowCounts> atMark = new ArrayList<>();
  private final MicroClock clock;
  private long markMicros;
  private long stopMicros = Long.MAX_VALUE;
  private long cpuAtMark = CpuTime.nanos();

  /** By the clock of the ends. */
  public Iperf3Streams(MicroClock clock) {
    this.clock = clock;
    markMicros = clock.nowMicros();
  }

  /** The next one. */
  public synchronized void add(FlowEnd end, boolean sending) {
    members.add(new Member(end, sending));
  }

  /** What they do counts from here. */
  public synchronized void mark() {
    atMark.clear();
    members.forEach(member -> atMark.add(member.end.tally().counts()));
    markMicros = clock.nowMicros();
    cpuAtMark = CpuTime.nanos();
  }

  /** The test is over; what still comes was under way. */
  public synchronized void stop() {
    stopMicros = clock.nowMicros();
  }

  /** All that came so far. */
  synchronized long receivedBytes() {
    return members.stream()
        .filter(member -> !member.sending)
        .mapToLong(member -> member.end.tally().counts().bytes())
        .sum();
  }

  /** Whether the one with that number sends. */
  synchronized boolean isSending(int id) {
    int order = id == 1 ? 0 : id - 2;
    return order >= 0 && order < members.size() && members.get(order).sending;
  }

  /** What they have counted since the mark, as the other side wants to have it. */
  public synchronized String results() {
    long until = Math.min(stopMicros, clock.nowMicros());
    long micros = Math.max(1, until - markMicros);
    double cpuPercent = 100.0 * (CpuTime.nanos() - cpuAtMark) / (1_000.0 * micros);
    List<Iperf3Results.Stream> streams = new ArrayList<>();
    boolean sends = false;
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      FlowCounts before = i < atMark.size() ? atMark.get(i) : FlowCounts.NONE;
      streams.add(stream(Iperf3Results.id(i), member, before, until));
      sends |= member.sending;
    }
    return new Iperf3Results(streams, "").toJson(sends, cpuPercent);
  }

  private Iperf3Results.Stream stream(int id, Member member, FlowCounts before, long until) {
    // What came after the end took so much longer.
    long last = member.sending ? until : Math.max(until, member.end.tally().lastMicros());
    FlowCounts now = member.end.tally().counts();
    return new Iperf3Results.Stream(
        id,
        now.bytes() - before.bytes(),
        now.lost(),
        now.messages() + now.lost(),
        before.lost(),
        before.messages() + before.lost(),
        now.jitterMicros(),
        Math.max(1, last - markMicros));
  }
}
