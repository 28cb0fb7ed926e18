package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The controller in a closed loop: 10 Mbit/s, base round trip 50 ms, drop-tail. */
class LedbatBottleneckTest {
  private static final long RTT = 50_000;

  @Test
  void aloneItFillsTheLinkAndHoldsTheQueueAt100Milliseconds() {
    Bottleneck link = bottleneck(100_000, 300_000).run(100, 400);
    assertThat(link.medianQueueMicros()).isBetween(95_000L, 105_000L);
    assertThat(link.utilisation()).isBetween(0.99, 1.01);
    assertThat(link.drops()).isZero();
  }

  @Test
  void aloneItHoldsTheQueueAt25Milliseconds() {
    Bottleneck link = bottleneck(25_000, 300_000).run(100, 400);
    assertThat(link.medianQueueMicros()).isBetween(23_000L, 27_000L);
    assertThat(link.utilisation()).isBetween(0.99, 1.01);
    assertThat(link.drops()).isZero();
  }

  @Test
  void theClocksOffsetMakesNoDifference() {
    long median = bottleneck(100_000, 300_000).run(100, 200).medianQueueMicros();
    for (long offset : new long[] {-3_600_000_000L, 86_400_000_000L}) {
      Bottleneck link = bottleneck(100_000, 300_000).clockOffset(offset).run(100, 200);
      assertThat(link.medianQueueMicros()).isEqualTo(median);
    }
  }

  @Test
  void aLongerRouteIsTakenForQueueUntilTheHistoryAges() {
    // 60 ms more on the way leave 40 ms of TARGET for the queue.
    Bottleneck link = bottleneck(100_000, 300_000).routeChange(60_000, 60).run(150, 400);
    assertThat(link.medianQueueMicros()).isBetween(35_000L, 45_000L);
    assertThat(link.utilisation()).isBetween(0.99, 1.01);
  }

  @Test
  void aRouteLongerByMoreThanTargetStarvesItToTwoSegments() {
    // off_target is -0.2, so that 125 segments shrink to 2 in about 110 s.
    Bottleneck link = bottleneck(100_000, 300_000).routeChange(120_000, 60).run(200, 400);
    assertThat(link.medianQueueMicros()).isLessThan(2_000);
    // Two segments of 1.2 ms in each round trip of 171.2 ms.
    assertThat(link.utilisation()).isBetween(0.0139, 0.0142);
  }

  @Test
  void aFlowThatNeverSeesTheQueueEmptyTakesItForTheBaseAfterTenMinutes() {
    // A weakness of RFC 6817 (docs/deviations.md): the first minute's minimum leaves the history.
    assertThat(bottleneck(100_000, 300_000).run(300, 600).medianQueueMicros())
        .isBetween(95_000L, 105_000L);
    assertThat(bottleneck(100_000, 300_000).run(900, 1_200).medianQueueMicros())
        .isBetween(185_000L, 210_000L);
  }

  @Test
  void inABufferSmallerThanTargetLossesHoldItAsTheyHoldTcp() {
    Bottleneck link = bottleneck(100_000, 40_000).run(100, 400);
    assertThat(link.drops()).isPositive();
    assertThat(link.medianQueueMicros()).isBetween(1_000L, 40_000L);
    assertThat(link.utilisation()).isGreaterThan(0.9);
  }

  private static Bottleneck bottleneck(long targetDelayMicros, long bufferMicros) {
    CongestionController controller =
        CongestionControllers.byName("ledbat")
            .create(
                LedbatParameters.recommended().withTargetDelayMicros(targetDelayMicros),
                Bottleneck.MSS);
    return new Bottleneck(controller, 10, RTT, bufferMicros);
  }
}
