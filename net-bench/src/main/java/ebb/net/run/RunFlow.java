package ebb.net.run;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LimitTimes;
import ebb.net.control.FlowCounts;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.LedbatEnd;
import ebb.net.tcp.TcpSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** One of the client's flows, and how to ask its transport; it remembers the last interval. */
final class RunFlow {
  final int stream;
  final boolean sending;
  final FlowEnd end;
  private final Supplier<CompletableFuture<Optional<Figures>>> asking;
  private FlowCounts last = FlowCounts.NONE;
  private long lastRetransmitted;
  private LimitTimes lastLimits = LimitTimes.NONE;

  /** What a transport says of itself. */
  record Figures(
      long cwndBytes,
      long rttMicros,
      long queuingDelayMicros,
      long baseDelayMicros,
      long targetMicros,
      long retransmitted,
      LimitTimes limits) {
    static Figures of(TcpSource.Sample tcp) {
      return new Figures(
          tcp.cwndBytes(), tcp.rttMicros(), -1, -1, -1, tcp.retransmitted(), LimitTimes.NONE);
    }

    static Figures of(ConnectionStats ledbat) {
      return new Figures(
          ledbat.cwndBytes(),
          ledbat.smoothedRttMicros(),
          ledbat.queuingDelayMicros(),
          ledbat.baseDelayMicros(),
          ledbat.targetDelayMicros(),
          ledbat.packetsRetransmitted(),
          ledbat.limits());
    }
  }

  RunFlow(
      int stream,
      boolean sending,
      FlowEnd end,
      Supplier<CompletableFuture<Optional<Figures>>> asking) {
    this.stream = stream;
    this.sending = sending;
    this.end = end;
    this.asking = asking;
  }

  static Supplier<CompletableFuture<Optional<Figures>>> askLedbat(
      LedbatEnd end, ebb.ledbat.endpoint.EndpointDriver driver) {
    return () -> {
      CompletableFuture<Optional<Figures>> answer = new CompletableFuture<>();
      driver.execute((endpoint, now) -> answer.complete(end.stats().map(Figures::of)));
      return answer;
    };
  }

  CompletableFuture<Optional<Figures>> ask() {
    return asking.get();
  }

  /** The interval since this was last called. */
  FlowSample sample(Optional<Figures> figures) {
    FlowCounts counts = end.tally().counts();
    FlowCounts interval = counts.since(last);
    last = counts;
    if (figures.isEmpty()) {
      return new FlowSample(stream, sending, interval, -1, -1, -1, -1, -1, -1, LimitTimes.NONE);
    }
    Figures now = figures.get();
    long retransmitted = now.retransmitted - lastRetransmitted;
    LimitTimes limits =
        now.limits.equals(LimitTimes.NONE) ? LimitTimes.NONE : now.limits.since(lastLimits);
    lastRetransmitted = now.retransmitted;
    lastLimits = now.limits;
    return new FlowSample(
        stream,
        sending,
        interval,
        now.cwndBytes,
        now.rttMicros,
        now.queuingDelayMicros,
        now.baseDelayMicros,
        now.targetMicros,
        Math.max(0, retransmitted),
        limits);
  }
}
