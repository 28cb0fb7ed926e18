package ebb.net.run;

import ebb.ledbat.connection.ConnectionStats;
import ebb.net.control.FlowCounts;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.LedbatEnd;
import ebb.net.flow.Limits;
import ebb.net.tcp.TcpSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of the client's flows, and how to ask its transport; it remembers the last interval. */
final class RunFlow {
  final int stream;
  final boolean sending;
  final FlowEnd end;
  private final Supplier<CompletableFuture<Optional<Figures>>> asking;
  private FlowCounts last = FlowCounts.NONE;
  private long lastRetransmitted;
  private Limits lastLimits = Limits.NONE;
  private Optional<Figures> remembered = Optional.empty();

  /**
   * What a transport says of itself so far.
   *
   * @param rest what holds a sender when none of the {@code limits} does; null when one always does
   */
  record Figures(
      long cwndBytes,
      long rttMicros,
      long queuingDelayMicros,
      long baseDelayMicros,
      long targetMicros,
      long retransmitted,
      Limits limits,
      @Nullable String rest) {
    static Figures of(TcpSource.Sample tcp) {
      return new Figures(
          tcp.cwndBytes(),
          tcp.rttMicros(),
          -1,
          -1,
          -1,
          tcp.retransmitted(),
          tcp.limits(),
          "application");
    }

    static Figures of(ConnectionStats ledbat) {
      return new Figures(
          ledbat.cwndBytes(),
          ledbat.smoothedRttMicros(),
          ledbat.queuingDelayMicros(),
          ledbat.baseDelayMicros(),
          ledbat.targetDelayMicros(),
          ledbat.packetsRetransmitted(),
          Limits.of(ledbat.limits()),
          null);
    }

    static Figures ofDatagrams(Limits limits) {
      return new Figures(-1, -1, -1, -1, -1, 0, limits, "cpu");
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

  /** For the last interval: a connection that has ended says nothing any more. */
  void remember(Optional<Figures> figures) {
    remembered = figures;
  }

  /**
   * The interval since this was last called.
   *
   * @param intervalMicros its length
   */
  FlowSample sample(Optional<Figures> latest, long intervalMicros) {
    Optional<Figures> figures = latest.or(() -> remembered);
    FlowCounts counts = end.tally().counts();
    FlowCounts interval = counts.since(last);
    last = counts;
    if (figures.isEmpty()) {
      return new FlowSample(stream, sending, interval, -1, -1, -1, -1, -1, -1, Limits.NONE);
    }
    Figures now = figures.get();
    long retransmitted = now.retransmitted - lastRetransmitted;
    Limits limits =
        sending && now.limits.isKnown()
            ? now.limits.since(lastLimits, intervalMicros, now.rest)
            : Limits.NONE;
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
