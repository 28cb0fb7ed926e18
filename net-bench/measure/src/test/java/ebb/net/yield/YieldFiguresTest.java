package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.net.flow.Column;
import ebb.net.ledbat.LedbatColumns;
import ebb.net.yield.YieldFigures.PhaseFigures;
import ebb.net.yield.YieldTrace.Sample;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** On samples whose figures follow by arithmetic. Times in tenths of a second from 0. */
class YieldFiguresTest {
  private static final long STEP = 100_000;
  private static final long SECOND = 1_000_000;

  /** 10 Mbit/s in a tenth of a second. */
  private static final long FULL = 125_000;

  private static final Offset<Double> EXACT = within(1e-6);

  private final YieldTrace trace = new YieldTrace();
  private long micros;
  private long ledbatBytes;
  private long tcpBytes;

  private void tenths(int count, double ledbat, double tcp) {
    if (micros == 0) {
      trace.ledbat.arrived(0, 0);
      trace.tcp.arrived(0, 0);
    }
    for (int i = 0; i < count; i++) {
      micros += STEP;
      ledbatBytes += Math.round(ledbat * FULL);
      tcpBytes += Math.round(tcp * FULL);
      trace.ledbat.arrived(micros, ledbatBytes);
      trace.tcp.arrived(micros, tcpBytes);
    }
  }

  private void phase(Phase.Kind kind, int tenths, double ledbat, double tcp) {
    long from = micros;
    tenths(tenths, ledbat, tcp);
    trace.phase(new Phase(kind, from, micros));
  }

  /** A LEDBAT sender's sample with these delays; packets resent since the one before. */
  private static Sample sample(int flow, long at, long base, long queue, long resent) {
    return new Sample(
        at,
        flow,
        Map.of(
            Column.RTT,
            50_000L,
            LedbatColumns.MIN_RTT,
            40_000L,
            LedbatColumns.QUEUING_DELAY,
            queue,
            LedbatColumns.BASE_DELAY,
            base,
            Column.RETRANSMITTED,
            resent));
  }

  private static Sample tcpSample(long at, long resent) {
    return new Sample(at, 0, Map.of(Column.RETRANSMITTED, resent));
  }

  private YieldFigures figures() {
    return YieldFigures.of(trace);
  }

  /** The usual run: TCP alone at 10 Mbit/s, LEDBAT alone, both, LEDBAT again. */
  private void usualRun(double ledbatShare, double tcpShare) {
    phase(Phase.Kind.TCP_ALONE, 100, 0, 1);
    tenths(10, 0, 0);
    phase(Phase.Kind.ALONE, 50, 0.5, 0);
    phase(Phase.Kind.CONTENDED, 100, ledbatShare, tcpShare);
  }

  @Test
  void shareIsOfTheBytesThatArrivedWhileBothRan() {
    usualRun(0.05, 0.95);
    assertThat(figures().share().wholeRatio()).isCloseTo(0.05, within(1e-4));
    assertThat(figures().ledbat().contendedBitsPerSecond()).isCloseTo(500_000, within(100.0));
  }

  @Test
  void tcpsLossIsAgainstItselfAlone() {
    usualRun(0.05, 0.8);
    assertThat(figures().tcp().aloneBitsPerSecond()).isCloseTo(10e6, EXACT);
    assertThat(figures().tcp().contendedBitsPerSecond()).isCloseTo(8e6, EXACT);
    assertThat(figures().tcp().lossRatio()).isCloseTo(0.2, EXACT);
  }

  @Test
  void tcpIsComparedAtTheSameAge() {
    // Alone it grows for 2 s, as it does when it joins; the contended phase is longer.
    long from = micros;
    tenths(20, 0, 0.5);
    tenths(20, 0, 1);
    trace.phase(new Phase(Phase.Kind.TCP_ALONE, from, micros));
    phase(Phase.Kind.ALONE, 20, 1, 0);
    from = micros;
    tenths(20, 0, 0.5);
    tenths(20, 0, 1);
    tenths(60, 0, 0.1);
    trace.phase(new Phase(Phase.Kind.CONTENDED, from, micros));
    assertThat(figures().tcp().lossRatio()).isCloseTo(0, EXACT);
  }

  @Test
  void whenTcpIsFirstItsYouthIsLeftOut() {
    long from = micros;
    tenths(20, 0, 0.5);
    tenths(40, 0, 1);
    trace.phase(new Phase(Phase.Kind.TCP_ALONE, from, micros));
    phase(Phase.Kind.ALONE, 20, 1, 0);
    phase(Phase.Kind.TCP_LEAD, 20, 0, 0.5);
    phase(Phase.Kind.CONTENDED, 40, 0.1, 0.9);
    assertThat(figures().tcp().aloneBitsPerSecond()).isCloseTo(10e6, EXACT);
    assertThat(figures().tcp().lossRatio()).isCloseTo(0.1, EXACT);
  }

  @Test
  void aloneIsTheSecondHalfOfItsPhase() {
    long from = micros;
    tenths(50, 0.1, 0);
    tenths(50, 1, 0);
    trace.phase(new Phase(Phase.Kind.ALONE, from, micros));
    assertThat(figures().ledbat().aloneBitsPerSecond()).isCloseTo(10e6, EXACT);
  }

  @Test
  void settledShareLeavesOutFiveSecondsOrHalfOfAShorterPhase() {
    long from = micros;
    tenths(50, 1, 0);
    tenths(150, 0.25, 0.75);
    trace.phase(new Phase(Phase.Kind.CONTENDED, from, micros));
    assertThat(figures().share().settledRatio()).isCloseTo(0.25, EXACT);
    assertThat(figures().share().wholeRatio()).isCloseTo((50 + 150 * 0.25) / 200, EXACT);

    YieldFiguresTest brief = new YieldFiguresTest();
    brief.tenths(10, 1, 0);
    brief.tenths(10, 0, 1);
    brief.trace.phase(new Phase(Phase.Kind.CONTENDED, 0, brief.micros));
    assertThat(brief.figures().share().settledRatio()).isZero();
  }

  private double recovery(int tenths, Runnable arrivals) {
    long from = micros;
    arrivals.run();
    assertThat(micros - from).isEqualTo(tenths * STEP);
    return YieldFigures.recovery(trace, 10e6, from, micros);
  }

  @Test
  void recoveryIsTheTimeFromWhichTheRateStays() {
    double at =
        recovery(
            50,
            () -> {
              tenths(13, 0.2, 0);
              tenths(37, 1, 0);
            });
    // 0.5 s from 1.3 s on are full. From 1.2 s on they hold (0.2 + 4 * 1) / 5 = 0.84.
    assertThat(at).isEqualTo(13 * STEP);
  }

  @Test
  void exactlyNinetyPercentIsEnoughAndLessIsNot() {
    assertThat(recovery(20, () -> tenths(20, 0.904, 0))).isZero();
    assertThat(recovery(20, () -> tenths(20, 0.896, 0))).isNaN();
    YieldTrace even = new YieldTrace();
    even.ledbat.arrived(0, 0);
    even.ledbat.arrived(SECOND, 1_125_000); // 9 Mbit/s
    assertThat(YieldFigures.recovery(even, 10e6, 0, SECOND)).isZero();
  }

  @Test
  void aMomentsBurstIsNoRecovery() {
    double at =
        recovery(
            60,
            () -> {
              tenths(5, 1, 0);
              tenths(25, 0.1, 0);
              tenths(30, 1, 0);
            });
    assertThat(at).isEqualTo(30 * STEP);
  }

  @Test
  void aShortDrainAfterRecoveryDoesNotUndoIt() {
    double at =
        recovery(
            60,
            () -> {
              tenths(5, 0, 0);
              tenths(30, 1, 0);
              tenths(2, 0, 0);
              tenths(23, 1, 0);
            });
    assertThat(at).isEqualTo(5 * STEP);
  }

  @Test
  void recoveryNeedsHalfASecondOfTheRate() {
    assertThat(
            recovery(
                20,
                () -> {
                  tenths(15, 0, 0);
                  tenths(5, 1, 0);
                }))
        .isEqualTo(15 * STEP);
    assertThat(
            recovery(
                20,
                () -> {
                  tenths(16, 0, 0);
                  tenths(4, 1, 0);
                }))
        .isNaN();
  }

  @Test
  void withoutARateAloneNothingRecovers() {
    tenths(20, 1, 0);
    assertThat(YieldFigures.recovery(trace, Double.NaN, 0, micros)).isNaN();
    assertThat(YieldFigures.recovery(trace, 0, 0, micros)).isNaN();
  }

  @Test
  void queuesAreAboveTheLowestBaseOfTheWholeRun() {
    phase(Phase.Kind.ALONE, 10, 1, 0);
    phase(Phase.Kind.CONTENDED, 10, 1, 1);
    // The second connection took the rival's queue of 30 ms for the empty path.
    trace.ledbat.sample(sample(0, 100_000, -7_000, 10_000, 0));
    trace.ledbat.sample(sample(0, 200_000, -7_000, 12_000, 0));
    trace.ledbat.sample(sample(0, 300_000, -7_000, 14_000, 0));
    trace.ledbat.sample(sample(1, 1_100_000, 23_000, 5_000, 0));
    List<PhaseFigures> phases = figures().phases();
    assertThat(phases.get(0).queueMedianMicros()).isEqualTo(12_000);
    assertThat(phases.get(0).queueP95Micros()).isCloseTo(13_800, EXACT);
    assertThat(phases.get(1).queueMedianMicros()).isEqualTo(35_000);
    assertThat(figures().path().baseDelayRangeMicros()).isEqualTo(30_000);
    assertThat(figures().path().baseRttMicros()).isEqualTo(40_000);
  }

  @Test
  void aSampleBeforeTheFirstDelayIsNoEmptyPath() {
    phase(Phase.Kind.ALONE, 10, 1, 0);
    trace.ledbat.sample(sample(0, 100_000, 0, 0, 0));
    trace.ledbat.sample(sample(0, 200_000, 20_000, 1_000, 0));
    assertThat(figures().phases().get(0).queueMedianMicros()).isEqualTo(1_000);
    assertThat(figures().path().baseDelayRangeMicros()).isZero();
  }

  @Test
  void aPhaseWithoutSamplesHasNoQueue() {
    phase(Phase.Kind.TCP_ALONE, 10, 0, 1);
    PhaseFigures only = figures().phases().get(0);
    assertThat(only.queueMedianMicros()).isNaN();
    assertThat(only.ledbatBitsPerSecond()).isNaN();
    assertThat(only.ledbatRetransmitted()).isNaN();
    assertThat(only.tcpBitsPerSecond()).isCloseTo(10e6, EXACT);
  }

  @Test
  void resentPacketsAreThoseOfThePhaseAndOfEachConnection() {
    phase(Phase.Kind.ALONE, 10, 1, 0);
    phase(Phase.Kind.CONTENDED, 10, 1, 1);
    trace.ledbat.sample(sample(0, 100_000, 1, 0, 4));
    trace.ledbat.sample(sample(0, 900_000, 1, 0, 6));
    trace.ledbat.sample(sample(0, 1_100_000, 1, 0, 3));
    trace.ledbat.sample(sample(1, 1_500_000, 1, 0, 2));
    trace.tcp.sample(tcpSample(1_200_000, 7));
    trace.tcp.sample(tcpSample(1_300_000, 2));
    List<PhaseFigures> phases = figures().phases();
    assertThat(phases.get(0).ledbatRetransmitted()).isEqualTo(10);
    assertThat(phases.get(1).ledbatRetransmitted()).isEqualTo(3 + 2);
    assertThat(phases.get(0).tcpRetransmitted()).isNaN();
    assertThat(phases.get(1).tcpRetransmitted()).isEqualTo(9);
  }

  @Test
  void whatWasNotReachedIsNoNumber() {
    phase(Phase.Kind.TCP_ALONE, 10, 0, 1);
    YieldFigures f = figures();
    assertThat(f.tcp().aloneBitsPerSecond()).isCloseTo(10e6, EXACT);
    assertThat(
            List.of(
                f.ledbat().aloneBitsPerSecond(),
                f.share().wholeRatio(),
                f.tcp().lossRatio(),
                f.recoveryMicros(),
                f.path().baseRttMicros(),
                f.path().baseDelayRangeMicros()))
        .allMatch(value -> value.isNaN());
  }

  @Test
  void aFigureAtItsThresholdHoldsAndOneAboveDoesNot() {
    usualRun(0.05, 0.95);
    phase(Phase.Kind.AFTER, 20, 0.5, 0);
    trace.ledbat.sample(sample(0, 12 * SECOND, 1, 30_000, 0));
    YieldFigures f = figures();
    Thresholds at =
        new Thresholds(f.share().wholeRatio(), f.tcp().lossRatio(), f.recoveryMicros(), 30_000);
    assertThat(at.judge(f, Yielder.LEDBAT_SENDER)).hasSize(4).allMatch(Thresholds.Check::holds);
    Thresholds below =
        new Thresholds(
            Math.nextDown(f.share().wholeRatio()),
            Math.nextDown(f.tcp().lossRatio()),
            Math.nextDown(f.recoveryMicros()),
            29_999);
    assertThat(below.judge(f, Yielder.LEDBAT_SENDER)).noneMatch(Thresholds.Check::holds);
  }

  @Test
  void whatCouldNotBeMeasuredHoldsOnlyWithoutAThreshold() {
    YieldFigures nothing = figures();
    assertThat(new Thresholds(1, 1, 1e9, 1e9).judge(nothing, Yielder.LEDBAT_SENDER))
        .noneMatch(Thresholds.Check::holds);
    double none = Double.POSITIVE_INFINITY;
    assertThat(new Thresholds(none, none, none, none).judge(nothing, Yielder.LEDBAT_SENDER))
        .allMatch(Thresholds.Check::holds);
  }

  @Test
  void whatEachDoesToTheProbeIsToldAboveItsShortestRoundTrip() {
    trace.echo(0, 40_000);
    phase(Phase.Kind.TCP_ALONE, 10, 0, 1);
    phase(Phase.Kind.ALONE, 10, 1, 0);
    phase(Phase.Kind.AFTER, 10, 1, 0);
    trace.echo(300_000, 180_000);
    trace.echo(400_000, 200_000);
    trace.echo(500_000, 190_000);
    trace.echo(1_500_000, 43_000);
    List<YieldFigures.PhaseFigures> phases = figures().phases();
    // The first echo is in TCP's phase as well.
    assertThat(phases.get(0).probeMedianMicros()).isEqualTo(145_000, EXACT);
    assertThat(phases.get(1).probeMedianMicros()).isEqualTo(3_000, EXACT);
    assertThat(phases.get(2).probeMedianMicros()).isNaN();
  }
}
