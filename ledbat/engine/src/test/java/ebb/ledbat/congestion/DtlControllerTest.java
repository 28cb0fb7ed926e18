package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The weighted controller's rules in numbers (MSS 1000, TARGET 100 ms). */
class DtlControllerTest {
  private static final int MSS = 1_000;
  private static final long RTT = 50_000;
  private static final long BASE = 20_000;

  /** A running connection with a window of {@code packets} and a queue of {@code queueMicros}. */
  private static DtlController running(double weight, int packets, long queueMicros) {
    DtlController controller = new DtlController(LedbatParameters.recommended(), MSS);
    controller.setWeight(weight);
    controller.onDelaySample(BASE, RTT, 0);
    controller.takeOver((long) packets * MSS, RTT, 0);
    controller.onDelaySample(BASE + queueMicros, RTT, 10 * RTT);
    return controller;
  }

  private static void ack(DtlController controller, int packets, int flightPackets) {
    controller.onAck((long) packets * MSS, (long) flightPackets * MSS, RTT, 10 * RTT);
  }

  @Test
  void weightZeroGrowsInProportionToTheDistanceFromTarget() {
    DtlController controller = running(0, 10, 40_000);
    ack(controller, 1, 10);
    // 0.6 of a packet for a window of ten.
    assertThat(controller.cwnd).isCloseTo(10_060, within(1e-6));
  }

  @Test
  void weightZeroLosesAHundredthForEachPacketAboveTarget() {
    DtlController controller = running(0, 10, 100_001);
    ack(controller, 1, 10);
    assertThat(controller.cwnd).isCloseTo(9_900, within(1e-6));
    ack(controller, 2, 10);
    assertThat(controller.cwnd).isCloseTo(9_900 * 0.99 * 0.99, within(1e-6));
  }

  @Test
  void weightZeroLosesAtMostHalfARoundTripAndThenWaitsForOneToShowIt() {
    DtlController controller = running(0, 1_000, 300_000);
    ack(controller, 1_000, 1_000);
    assertThat(controller.cwndBytes()).isEqualTo(500 * MSS);
    controller.onLoss(MSS, RTT, 11 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(500 * MSS);
    for (long now : new long[] {11 * RTT, 12 * RTT - 1}) {
      controller.onDelaySample(BASE + 300_000, RTT, now);
      controller.onAck(100 * MSS, 500 * MSS, RTT, now);
      assertThat(controller.cwndBytes()).isEqualTo(500 * MSS);
    }
    controller.onDelaySample(BASE + 300_000, RTT, 12 * RTT);
    controller.onAck(500 * MSS, 500 * MSS, RTT, 12 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(250 * MSS);
  }

  @Test
  void weightZeroHalvesOnLossOnceARoundTrip() {
    DtlController controller = running(0, 10, 0);
    controller.onLoss(MSS, RTT, 10 * RTT);
    controller.onLoss(MSS, RTT, 11 * RTT - 1);
    assertThat(controller.cwndBytes()).isEqualTo(5 * MSS);
  }

  @Test
  void weightNGrowsByNPacketsARoundTripWhateverTheQueue() {
    for (double weight : new double[] {1, 2, 4.5}) {
      DtlController controller = running(weight, 100, 500_000);
      ack(controller, 100, 100);
      assertThat(controller.cwnd).isCloseTo(100_000 + weight * MSS, within(1e-6));
    }
  }

  @Test
  void weightNLosesWhatOneOfNLoses() {
    double[] weights = {1, 2, 4};
    double[] left = {50_000, 75_000, 87_500};
    for (int i = 0; i < weights.length; i++) {
      DtlController controller = running(weights[i], 100, 0);
      controller.onLoss(MSS, RTT, 10 * RTT);
      assertThat(controller.cwnd).isCloseTo(left[i], within(1e-6));
    }
  }

  @Test
  void aSenderThatDoesNotUseItsWindowDoesNotGrowIt() {
    DtlController controller = running(8, 100, 0);
    ack(controller, 1, 49);
    assertThat(controller.cwndBytes()).isEqualTo(100 * MSS);
    ack(controller, 50, 50);
    assertThat(controller.cwndBytes()).isEqualTo(104 * MSS);
  }

  @Test
  void anotherWeightLeavesTheWindowAndCountsFromTheNextAcknowledgement() {
    DtlController controller = running(0, 100, 200_000);
    controller.setWeight(4);
    assertThat(controller.cwndBytes()).isEqualTo(100 * MSS);
    ack(controller, 50, 100);
    assertThat(controller.cwnd).isCloseTo(102_000, within(1e-6));
    controller.setWeight(0);
    assertThat(controller.cwnd).isCloseTo(102_000, within(1e-6));
    ack(controller, 1, 102);
    assertThat(controller.cwnd).isCloseTo(102_000 * 0.99, within(1e-6));
  }

  @Test
  void anotherWeightNeverBringsSlowStart() {
    LedbatParameters slowStarting = new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, true);
    DtlController controller = new DtlController(slowStarting, MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onAck(2 * MSS, 2 * MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(4 * MSS);
    controller.setWeight(1);
    controller.onAck(4 * MSS, 4 * MSS, RTT, RTT);
    assertThat(controller.cwndBytes()).isEqualTo(5 * MSS);
  }

  @Test
  void aTimeoutLeavesOnePacketAndSlowStartRunsToThePartOfTheWindowThatALossLeaves() {
    LedbatParameters slowStarting = new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, true);
    DtlController controller = new DtlController(slowStarting, MSS);
    controller.setWeight(4);
    controller.takeOver(64 * MSS, RTT, 0);
    controller.onCongestionTimeout(0);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
    for (int i = 0; i < 5; i++) {
      ack(controller, (int) controller.cwndBytes() / MSS, (int) controller.cwndBytes() / MSS);
    }
    assertThat(controller.cwndBytes()).isEqualTo(32 * MSS);
    ack(controller, 32, 32);
    assertThat(controller.cwndBytes()).isEqualTo(56 * MSS);
    ack(controller, 56, 56);
    assertThat(controller.cwndBytes()).isEqualTo(60 * MSS);
  }

  @Test
  void aLossThatWasNoneIsTakenBack() {
    for (double weight : new double[] {0, 1, 4}) {
      DtlController controller = running(weight, 100, 40_000);
      controller.onLoss(MSS, RTT, 11 * RTT);
      assertThat(controller.cwndBytes()).isLessThan(100 * MSS);
      controller.onSpuriousLoss(MSS, 11 * RTT + 1);
      assertThat(controller.cwndBytes()).isEqualTo(100 * MSS);
    }
  }

  @Test
  void weightZeroLosesMoreThanHalfWhereTheQueueHoldsMoreThanThat() {
    DtlController controller = running(0, 1_000, 150_000);
    controller.onRttSample(50_000, 10 * RTT);
    controller.onDelaySample(BASE + 150_000, 200_000, 10 * RTT);
    controller.onAck(1_000L * MSS, 1_000L * MSS, 200_000, 10 * RTT);
    // A quarter of a round trip of 200 ms fills the path: three quarters of that are left.
    assertThat(controller.cwndBytes()).isEqualTo(1_000 * MSS * 3 / 16);
  }
}
