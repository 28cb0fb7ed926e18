package ebb.net.yield;

import ebb.core.stats.Summary;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldTrace.Sample;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a run came to. Rates are of payload in order at the receiver. A figure whose phase was not
 * reached is NaN.
 *
 * @param recoveryMicros see {@link #recovery}
 * @param phases by kind
 */
record YieldFigures(
    Ledbat ledbat,
    Tcp tcp,
    Share share,
    double recoveryMicros,
    Path path,
    List<PhaseFigures> phases) {

  /**
   * LEDBAT's rates.
   *
   * @param aloneBitsPerSecond over the second half of its phase alone: the first half is for
   *     finding the rate
   * @param contendedBitsPerSecond over the whole contended phase
   * @param afterBitsPerSecond over the phase after TCP, recovery included
   */
  record Ledbat(
      double aloneBitsPerSecond, double contendedBitsPerSecond, double afterBitsPerSecond) {}

  /**
   * TCP's rates.
   *
   * @param aloneBitsPerSecond at the age that it has in the contended phase
   * @param contendedBitsPerSecond beside LEDBAT, over as much of the contended phase
   */
  record Tcp(double aloneBitsPerSecond, double contendedBitsPerSecond) {
    /** What TCP lost of its rate alone; below 0 when it gained. */
    double lossRatio() {
      return 1 - contendedBitsPerSecond / aloneBitsPerSecond;
    }
  }

  /**
   * LEDBAT's part of the bytes that arrived in the contended phase.
   *
   * @param wholeRatio of all of it
   * @param settledRatio without the first 5 s, or its first half when it is short
   */
  record Share(double wholeRatio, double settledRatio) {}

  /**
   * What LEDBAT saw of the path.
   *
   * @param baseRttMicros smallest round trip of its acknowledgements
   * @param baseDelayRangeMicros how far the controller's base delay moved during the run
   */
  record Path(double baseRttMicros, double baseDelayRangeMicros) {}

  static final double RECOVERED_RATIO = 0.9;
  static final long RECOVERY_WINDOW_MICROS = 500_000;
  static final long SETTLE_MICROS = 5_000_000;

  /**
   * One phase.
   *
   * @param queueMedianMicros of the samples of LEDBAT's sender, above the smallest base delay of
   *     the whole run
   * @param queueP95Micros the same, 95%
   * @param probeMedianMicros of the probe's round trips, above the shortest of the whole run
   * @param probeP95Micros the same, 95%
   * @param ledbatRetransmitted packets
   * @param tcpRetransmitted segments
   */
  record PhaseFigures(
      Phase phase,
      double ledbatBitsPerSecond,
      double tcpBitsPerSecond,
      double queueMedianMicros,
      double queueP95Micros,
      double probeMedianMicros,
      double probeP95Micros,
      double ledbatRetransmitted,
      double tcpRetransmitted) {}

  static YieldFigures of(YieldTrace trace) {
    Ledbat ledbat =
        new Ledbat(
            rate(trace, Phase.Kind.ALONE, YieldFigures::middle),
            rate(trace, Phase.Kind.CONTENDED, Phase::fromMicros),
            rate(trace, Phase.Kind.AFTER, Phase::fromMicros));
    return new YieldFigures(
        ledbat,
        tcp(trace),
        new Share(share(trace, Phase::fromMicros), share(trace, YieldFigures::settled)),
        trace
            .phase(Phase.Kind.AFTER)
            .map(p -> recovery(trace, ledbat.aloneBitsPerSecond, p.fromMicros(), p.toMicros()))
            .orElse(Double.NaN),
        new Path(baseRtt(trace), baseDelayRange(trace)),
        trace.phases().stream().map(phase -> phaseFigures(trace, phase)).toList());
  }

  /** LEDBAT's in a phase, from some point of it to its end. */
  private static double rate(YieldTrace trace, Phase.Kind kind, ToLongFunction<Phase> from) {
    return trace
        .phase(kind)
        .map(p -> trace.ledbat.bitsPerSecond(from.applyAsLong(p), p.toMicros()))
        .orElse(Double.NaN);
  }

  private static long middle(Phase phase) {
    return phase.fromMicros() + phase.lengthMicros() / 2;
  }

  private static long settled(Phase phase) {
    return phase.fromMicros() + Math.min(SETTLE_MICROS, phase.lengthMicros() / 2);
  }

  private static double share(YieldTrace trace, ToLongFunction<Phase> from) {
    Optional<Phase> contended = trace.phase(Phase.Kind.CONTENDED);
    if (contended.isEmpty()) {
      return Double.NaN;
    }
    long fromMicros = from.applyAsLong(contended.get());
    long toMicros = contended.get().toMicros();
    double ledbat = trace.ledbat.bytes(fromMicros, toMicros);
    return ledbat / (ledbat + trace.tcp.bytes(fromMicros, toMicros));
  }

  /**
   * TCP's rate alone and beside LEDBAT, over the same part of its life, counted from its start: a
   * young connection that still grows is not compared to an old one.
   */
  private static Tcp tcp(YieldTrace trace) {
    Optional<Phase> alone = trace.phase(Phase.Kind.TCP_ALONE);
    Optional<Phase> contended = trace.phase(Phase.Kind.CONTENDED);
    if (alone.isEmpty()) {
      return new Tcp(Double.NaN, Double.NaN);
    }
    long aloneStart = alone.get().fromMicros();
    if (contended.isEmpty()) {
      return new Tcp(trace.tcp.bitsPerSecond(aloneStart, alone.get().toMicros()), Double.NaN);
    }
    long joined = contended.get().fromMicros();
    long tcpStart = trace.phase(Phase.Kind.TCP_LEAD).map(Phase::fromMicros).orElse(joined);
    long from = joined - tcpStart;
    long to = Math.min(contended.get().toMicros() - tcpStart, alone.get().lengthMicros());
    return new Tcp(
        trace.tcp.bitsPerSecond(aloneStart + from, aloneStart + to),
        trace.tcp.bitsPerSecond(tcpStart + from, tcpStart + to));
  }

  /**
   * How long after TCP left LEDBAT has its rate again: the first time from which its rate is at
   * least 90% of its rate alone over half a second, and stays that over all that is left of the
   * phase. The times tried are those at which the server counted. That the rest as a whole has to
   * hold as well keeps a moment's burst from counting, and lets a controller that empties the queue
   * now and then do so.
   *
   * @return NaN when it does not recover
   */
  static double recovery(YieldTrace trace, double alone, long fromMicros, long toMicros) {
    if (recovered(trace, alone, fromMicros, toMicros)) {
      return 0;
    }
    for (long at : trace.ledbat.arrivalTimes()) {
      if (at > fromMicros && recovered(trace, alone, at, toMicros)) {
        return at - fromMicros;
      }
    }
    return Double.NaN;
  }

  private static boolean recovered(YieldTrace trace, double alone, long at, long toMicros) {
    long end = at + RECOVERY_WINDOW_MICROS;
    double least = RECOVERED_RATIO * alone;
    return end <= toMicros
        && alone > 0
        && trace.ledbat.bitsPerSecond(at, end) >= least
        && trace.ledbat.bitsPerSecond(at, toMicros) >= least;
  }

  private static PhaseFigures phaseFigures(YieldTrace trace, Phase phase) {
    double base = lowestDelay(trace);
    double[] queues =
        trace.ledbat.samples().stream()
            .filter(s -> s.hasDelay() && within(phase, s.micros()))
            .mapToDouble(s -> Math.max(0, s.delayMicros() - base))
            .toArray();
    Summary queue = queues.length == 0 ? null : Summary.of(queues);
    Summary probe = probe(trace, phase);
    boolean ledbatThere =
        phase.kind() != Phase.Kind.TCP_ALONE && phase.kind() != Phase.Kind.TCP_LEAD;
    boolean tcpThere = phase.kind() != Phase.Kind.ALONE && phase.kind() != Phase.Kind.AFTER;
    return new PhaseFigures(
        phase,
        ledbatThere ? trace.ledbat.bitsPerSecond(phase.fromMicros(), phase.toMicros()) : Double.NaN,
        tcpThere ? trace.tcp.bitsPerSecond(phase.fromMicros(), phase.toMicros()) : Double.NaN,
        queue == null ? Double.NaN : queue.median(),
        queue == null ? Double.NaN : queue.percentile(95),
        probe == null ? Double.NaN : probe.median(),
        probe == null ? Double.NaN : probe.percentile(95),
        retransmitted(trace.ledbat.samples(), phase),
        retransmitted(trace.tcp.samples(), phase));
  }

  /** What the probe's echoes took above the shortest; null when none came back. */
  private static @Nullable Summary probe(YieldTrace trace, Phase phase) {
    List<YieldTrace.Echo> all = trace.echoes();
    long least = all.stream().mapToLong(YieldTrace.Echo::roundTripMicros).min().orElse(0);
    double[] added =
        all.stream()
            .filter(echo -> within(phase, echo.sentMicros()))
            .mapToDouble(echo -> echo.roundTripMicros() - least)
            .toArray();
    return added.length == 0 ? null : Summary.of(added);
  }

  /** NaN when there was no sender to tell. */
  private static double retransmitted(List<Sample> samples, Phase phase) {
    return samples.stream()
        .filter(s -> within(phase, s.micros()))
        .mapToDouble(s -> s.value(Column.RETRANSMITTED))
        .filter(Double::isFinite)
        .reduce((a, b) -> a + b)
        .orElse(Double.NaN);
  }

  private static boolean within(Phase phase, long micros) {
    return micros >= phase.fromMicros() && micros < phase.toMicros();
  }

  /** The emptiest that the path was seen, on the clocks of this run. */
  static double lowestDelay(YieldTrace trace) {
    return trace.ledbat.samples().stream()
        .filter(Sample::hasDelay)
        .mapToDouble(s -> Math.min(s.value(LedbatColumns.BASE_DELAY), s.delayMicros()))
        .min()
        .orElse(0);
  }

  private static double baseRtt(YieldTrace trace) {
    return trace.ledbat.samples().stream()
        .mapToDouble(s -> s.value(LedbatColumns.MIN_RTT))
        .filter(rtt -> rtt > 0)
        .min()
        .orElse(Double.NaN);
  }

  private static double baseDelayRange(YieldTrace trace) {
    var bases =
        trace.ledbat.samples().stream()
            .filter(Sample::hasDelay)
            .mapToDouble(s -> s.value(LedbatColumns.BASE_DELAY))
            .summaryStatistics();
    return bases.getCount() == 0 ? Double.NaN : bases.getMax() - bases.getMin();
  }
}
