package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.CloseReason;
import ebb.ledbat.connection.ConnectionStats;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.sim.Schedule;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The real engine over links that lose, reorder, repeat, cut and swallow packets. */
class LedbatFaultsTest {
  private static final long SECOND = 1_000_000;
  private static final long BUFFER_BYTES = 375_000;
  private static final LinkSpec GOOD = LinkSpec.of(10_000_000, 25_000, BUFFER_BYTES);

  private static LedbatFlow transfer(LinkSpec forward, LinkSpec backward, long bytes) {
    return transfer(new Scenario(1, forward, backward), bytes);
  }

  private static LedbatFlow transfer(Scenario scenario, long bytes) {
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat").withBytes(bytes));
    scenario.runUntil(300 * SECOND);
    return flow;
  }

  private static ConnectionStats stats(LedbatFlow flow) {
    return Objects.requireNonNull(flow.stats());
  }

  private static void assertIntactAndClosed(LedbatFlow flow, long bytes) {
    assertThat(flow.sink().received()).isEqualTo(bytes);
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
    assertThat(flow.sink().peerFinished()).isTrue();
    assertThat(flow.source().closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(flow.sink().closeReason()).isEqualTo(CloseReason.FINISHED);
    assertThat(flow.senderHost().endpoint().stats().listenerFailures()).isZero();
    assertThat(flow.receiverHost().endpoint().stats().dropped().malformed()).isEmpty();
  }

  @Test
  void onePercentOfRandomLossLeavesMostOfWhatAimdAllowsAndNoStall() {
    LinkSpec lossy = GOOD.withLoss(new LossSpec.Random(0.01));
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario = new Scenario(seed, lossy, lossy);
      LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat"));
      scenario.runUntil(120 * SECOND);
      // Halving at every loss, one segment more a round trip: sqrt(3/2) / sqrt(p) = 12.2 segments
      // a round trip (Mathis et al. 1997). Half of it is demanded: losses of one round trip that
      // are found apart, timeouts and RFC 6817's slower growth as the queue rises cost something.
      double aimd = Math.sqrt(1.5 / 0.01) * 1_452 * 8 / 0.050;
      assertThat(flow.goodput().bitsPerSecond(10 * SECOND, 120 * SECOND))
          .as("seed %d", seed)
          .isGreaterThan(aimd / 2);
      assertThat(flow.goodput().longestGapMicros(0, 120 * SECOND))
          .as("seed %d", seed)
          .isLessThan(3 * SECOND);
      assertThat(flow.sink().firstDifference()).isEqualTo(-1);
    }
  }

  @Test
  void burstsOfLossAreSurvivedWithIntactBytes() {
    LinkSpec bursty = GOOD.withLoss(new LossSpec.Burst(0.002, 0.2, 0, 1));
    long bytes = 5_000_000;
    assertIntactAndClosed(transfer(bursty, bursty, bytes), bytes);
  }

  @Test
  void reorderingLeavesTheBytesIntactAndIsNotTakenForLoss() {
    LinkSpec reordering = GOOD.withReordering(0.05, 3_000);
    long bytes = 10_000_000;
    LedbatFlow flow = transfer(reordering, reordering, bytes);
    assertIntactAndClosed(flow, bytes);
    // A packet that is up to 3 ms late is overtaken by at most two others: below the threshold of
    // three.
    assertThat(stats(flow).packetsRetransmitted()).isZero();
  }

  @Test
  void strongReorderingIsOnlySlow() {
    LinkSpec reordering = GOOD.withReordering(0.2, 60_000);
    long bytes = 5_000_000;
    assertIntactAndClosed(transfer(reordering, reordering, bytes), bytes);
  }

  @Test
  void packetsThatArriveTwiceAreDeliveredOnce() {
    LinkSpec duplicating = GOOD.withDuplication(0.2);
    long bytes = 10_000_000;
    LedbatFlow flow = transfer(duplicating, duplicating, bytes);
    assertIntactAndClosed(flow, bytes);
    assertThat(stats(flow).packetsRetransmitted()).isZero();
  }

  @Test
  void allFaultsAtOnceLeaveTheBytesIntact() {
    LinkSpec bad =
        GOOD.withLoss(new LossSpec.Burst(0.005, 0.3, 0.002, 0.7))
            .withReordering(0.05, 20_000)
            .withDuplication(0.05)
            .withJitter(10_000);
    long bytes = 3_000_000;
    assertIntactAndClosed(transfer(bad, bad, bytes), bytes);
  }

  @Test
  void sizesAroundPacketAndBufferBoundariesArrive() {
    for (long bytes : new long[] {0, 1, 1_451, 1_452, 1_453, 65_536, 4 << 20}) {
      LedbatFlow flow = transfer(GOOD, GOOD, bytes);
      assertThat(flow.sink().received()).isEqualTo(bytes);
      assertThat(flow.sink().firstDifference()).isEqualTo(-1);
      assertThat(flow.source().closeReason()).as("%d bytes", bytes).isEqualTo(CloseReason.FINISHED);
    }
  }

  @Test
  void aBlackoutOfFiveSecondsEndsTheTransferForNoLongerThanTheTimerNeeds() {
    Schedule<LossSpec> cut =
        Schedule.always(LossSpec.NONE).during(20 * SECOND, 25 * SECOND, new LossSpec.Random(1));
    Scenario scenario = new Scenario(1, GOOD.withLoss(cut), GOOD.withLoss(cut));
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat"));
    scenario.runUntil(120 * SECOND);
    // RFC 6298: timeouts about 1, 3 and 7 s after the cut, so the first that gets through comes
    // at 27 to 28 s; then 42 round trips of 50 ms to fill the pipe again.
    long back =
        Checks.recoveryMicros(scenario.bottleneck(), flow, 0.9, 500_000, 25 * SECOND, 60 * SECOND);
    assertThat(back).isBetween(1L, 9 * SECOND);
    assertThat(flow.source().closeReason()).isNull();
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
    assertThat(Checks.queueMicros(scenario.bottleneck(), 50, 90 * SECOND, 120 * SECOND))
        .isBetween(95_000.0, 105_000.0);
  }

  @Test
  void aPathThatHoldsThePacketsForAWhileLosesNone() {
    Schedule<Long> held = Schedule.always(10_000_000L).during(20 * SECOND, 23 * SECOND, 0L);
    Scenario scenario = new Scenario(1, GOOD.withRate(held), GOOD);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat").withBytes(60_000_000));
    scenario.runUntil(120 * SECOND);
    assertIntactAndClosed(flow, 60_000_000);
  }

  @Test
  void probingFindsTheLargestPacketOfAPathOf1280Bytes() {
    LinkSpec narrow = GOOD.withMtu(1_280);
    Scenario scenario = new Scenario(1, narrow, narrow);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat").with(LedbatConfig.defaults()));
    scenario.runUntil(30 * SECOND);
    // 1,280 less 28 of IP and UDP and 20 of uTP; within a few bytes.
    assertThat(stats(flow).mssBytes()).isBetween(1_252 - 20 - 16, 1_252 - 20);
    assertThat(scenario.bottleneck().stats().droppedMtu()).isBetween(1L, 20L);
    assertThat(Checks.utilisation(scenario.bottleneck(), 10 * SECOND, 30 * SECOND))
        .isGreaterThan(0.98);
    assertThat(flow.goodput().longestGapMicros(1 * SECOND, 30 * SECOND)).isLessThan(SECOND);
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
  }

  @Test
  void packetsThatStartTooLargeForThePathGetThroughInTheEnd() {
    LinkSpec narrow = GOOD.withMtu(1_280);
    Scenario scenario = new Scenario(1, narrow, narrow);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat").withBytes(5_000_000));
    scenario.runUntil(120 * SECOND);
    assertIntactAndClosed(flow, 5_000_000);
  }
}
