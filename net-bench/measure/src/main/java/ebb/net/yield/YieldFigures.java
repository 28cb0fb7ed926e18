package ebb.net.yield;

import ebb.core.stats.Summary;
import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldTrace.Sample;
import java.util.List;
import java.util.Optional;

/**
 * What a run came to. Rates are of payload in order at the receiver. A figure whose phase was not
 * reached is NaN.
 *
 * @param aloneBitsPerSecond LEDBAT's, over the second half of its phase alone: the first half is
 *     for finding the rate
 * @param tcpAloneBitsPerSecond TCP's alone, at the age that it has in the contended phase
 * @param contendedTcpBitsPerSecond TCP's beside LEDBAT, over as much of the contended phase
 * @param contendedLedbatBitsPerSecond over the whole contended phase
 * @param shareRatio LEDBAT's part of the bytes that arrived in the contended phase
 * @param settledShareRatio the same without the first 5 s, or its first half when it is short
 * @param tcpLossRatio what TCP lost of its rate alone; below 0 when it gained
 * @param recoveryMicros see {@link #recovery}
 * @param afterBitsPerSecond LEDBAT's, over the phase after TCP, recovery included
 * @param baseRttMicros smallest round trip that LEDBAT's acknowledgements saw
 * @param baseDelayRangeMicros how far the controller's base delay moved during the run
 * @param phases by kind
 */
record YieldFigures(
    double aloneBitsPerSecond,
    double tcpAloneBitsPerSecond,
    double contendedTcpBitsPerSecond,
    double contendedLedbatBitsPerSecond,
    double shareRatio,
    double settledShareRatio,
    double tcpLossRatio,
    double recoveryMicros,
    double afterBitsPerSecond,
    double baseRttMicros,
    double baseDelayRangeMicros,
    List<PhaseFigures> phases) {

  static final double RECOVERED_RATIO = 0.9;
  static final long RECOVERY_WINDOW_MICROS = 500_000;
  static final long SETTLE_MICROS = 5_000_000;

  /**
   * One phase.
   *
   * @param queueMedianMicros of the samples of LEDBAT's sender, above the smallest base delay of
   *     the whole run
   * @param queueP95Micros the same, 95%
   * @param ledbatRetransmitted packets
   * @param tcpRetransmitted segments
   */
  record PhaseFigures(
      Phase phase,
      double ledbatBitsPerSecond,
      double tcpBitsPerSecond,
      double queueMedianMicros,
      double queueP95Micros,
      double ledbatRetransmitted,
      double tcpRetransmitted) {}

  static YieldFigures of(YieldTrace trace) {
    List<PhaseFigures> phases =
        trace.phases().stream().map(phase -> phaseFigures(trace, phase)).toList();
    Optional<Phase> contended = trace.phase(Phase.Kind.CONTENDED);
    double alone =
        trace
            .phase(Phase.Kind.ALONE)
            .map(p -> trace.ledbat.bitsPerSecond(middle(p), p.toMicros()))
            .orElse(Double.NaN);
    double[] tcp = tcpRates(trace);
    return new YieldFigures(
        alone,
        tcp[0],
        tcp[1],
        contended
            .map(p -> trace.ledbat.bitsPerSecond(p.fromMicros(), p.toMicros()))
            .orElse(Double.NaN),
        contended.map(p -> share(trace, p.fromMicros(), p.toMicros())).orElse(Double.NaN),
        contended.map(p -> share(trace, settled(p), p.toMicros())).orElse(Double.NaN),
        1 - tcp[1] / tcp[0],
        trace
            .phase(Phase.Kind.AFTER)
            .map(p -> recovery(trace, alone, p.fromMicros(), p.toMicros()))
            .orElse(Double.NaN),
        trace
            .phase(Phase.Kind.AFTER)
            .map(p -> trace.ledbat.bitsPerSecond(p.fromMicros(), p.toMicros()))
            .orElse(Double.NaN),
        baseRtt(trace),
        baseDelayRange(trace),
        phases);
  }

  private static long middle(Phase phase) {
    return phase.fromMicros() + phase.lengthMicros() / 2;
  }

  private static long settled(Phase phase) {
    return phase.fromMicros() + Math.min(SETTLE_MICROS, phase.lengthMicros() / 2);
  }

  private static double share(YieldTrace trace, long fromMicros, long toMicros) {
    double ledbat = trace.ledbat.bytes(fromMicros, toMicros);
    return ledbat / (ledbat + trace.tcp.bytes(fromMicros, toMicros));
  }

  /**
   * TCP's rate alone and beside LEDBAT, over the same part of its life, counted from its start: a
   * young connection that still grows is not compared to an old one.
   */
  private static double[] tcpRates(YieldTrace trace) {
    Optional<Phase> alone = trace.phase(Phase.Kind.TCP_ALONE);
    Optional<Phase> contended = trace.phase(Phase.Kind.CONTENDED);
    double[] rates = {Double.NaN, Double.NaN};
    if (alone.isEmpty()) {
      return rates;
    }
    long aloneStart = alone.get().fromMicros();
    if (contended.isEmpty()) {
      rates[0] = trace.tcp.bitsPerSecond(aloneStart, alone.get().toMicros());
      return rates;
    }
    long joined = contended.get().fromMicros();
    long tcpStart = trace.phase(Phase.Kind.TCP_LEAD).map(Phase::fromMicros).orElse(joined);
    long from = joined - tcpStart;
    long to = Math.min(contended.get().toMicros() - tcpStart, alone.get().lengthMicros());
    rates[0] = trace.tcp.bitsPerSecond(aloneStart + from, aloneStart + to);
    rates[1] = trace.tcp.bitsPerSecond(tcpStart + from, tcpStart + to);
    return rates;
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
    boolean ledbatThere =
        phase.kind() != Phase.Kind.TCP_ALONE && phase.kind() != Phase.Kind.TCP_LEAD;
    boolean tcpThere = phase.kind() != Phase.Kind.ALONE && phase.kind() != Phase.Kind.AFTER;
    return new PhaseFigures(
        phase,
        ledbatThere ? trace.ledbat.bitsPerSecond(phase.fromMicros(), phase.toMicros()) : Double.NaN,
        tcpThere ? trace.tcp.bitsPerSecond(phase.fromMicros(), phase.toMicros()) : Double.NaN,
        queue == null ? Double.NaN : queue.median(),
        queue == null ? Double.NaN : queue.percentile(95),
        retransmitted(trace.ledbat.samples(), phase),
        retransmitted(trace.tcp.samples(), phase));
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
