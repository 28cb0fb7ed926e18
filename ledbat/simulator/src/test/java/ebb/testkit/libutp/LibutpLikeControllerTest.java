package ebb.testkit.libutp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.ledbat.congestion.CongestionController;
import ebb.ledbat.congestion.LedbatParameters;
import org.junit.jupiter.api.Test;

/**
 * The window's rules in numbers, worked out from utp_internal.cpp of libutp (commit 2b364cb). A
 * packet carries 1,000 bytes, and the first two of three delay samples show no queue.
 */
class LibutpLikeControllerTest {
  private static final int MSS = 1_000;
  private static final long RTT = 50_000;
  private static final long BASE = 7_000_000;

  private final CongestionController controller =
      LibutpLikeController.FACTORY.create(LedbatParameters.recommended(), MSS);
  private long now = 10_000_000;

  /** The whole window is acknowledged at once, with this queue in all samples that count. */
  private void round(long queueMicros) {
    now += RTT;
    long window = controller.cwndBytes();
    for (int i = 0; i < 3; i++) {
      controller.onRttSample(RTT + queueMicros, now);
      controller.onDelaySample(BASE + queueMicros, RTT + queueMicros, now);
    }
    controller.onAck(window, window, RTT + queueMicros, now);
  }

  private void rounds(int count, long queueMicros) {
    for (int i = 0; i < count; i++) {
      round(queueMicros);
    }
  }

  private void leaveSlowStart() {
    rounds(10, 0);
    controller.onLoss(MSS, RTT, now);
  }

  @Test
  void itBeginsWithOnePacketAndSlowStartAddsNoMoreThanTheDelayRuleDoes() {
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
    rounds(10, 0);
    // max(one packet, 3,000 bytes) a round trip.
    assertThat(controller.cwndBytes()).isEqualTo(MSS + 10 * 3_000);
  }

  @Test
  void slowStartAddsOnePacketWhereTheDelayRuleWouldAddLess() {
    rounds(10, 0);
    long window = controller.cwndBytes();
    round(80_000); // 3,000 * (100 - 80) / 100 = 600 bytes, less than a packet.
    assertThat(controller.cwndBytes()).isEqualTo(window + MSS);
    round(91_000); // Above nine tenths of TARGET it ends, with the window as it is.
    assertThat(controller.cwndBytes()).isEqualTo(window + MSS);
    round(80_000);
    assertThat(controller.cwndBytes()).isEqualTo(window + MSS + 600);
  }

  @Test
  void theWindowMovesInProportionToWhatIsMissingToTarget() {
    leaveSlowStart();
    long window = controller.cwndBytes();
    round(50_000);
    assertThat(controller.cwndBytes()).isEqualTo(window + 1_500);
    round(150_000);
    assertThat(controller.cwndBytes()).isEqualTo(window);
    // Half a window acknowledged counts for half a round trip.
    now += RTT;
    controller.onRttSample(RTT + 50_000, now);
    controller.onDelaySample(BASE + 50_000, RTT, now);
    controller.onDelaySample(BASE + 50_000, RTT, now);
    controller.onDelaySample(BASE + 50_000, RTT, now);
    controller.onAck(window / 2, window, RTT, now);
    assertThat(controller.cwndBytes()).isCloseTo(window + 750, within(1L));
  }

  @Test
  void aLossHalvesAtMostOnceInAHundredMilliseconds() {
    rounds(20, 0);
    long window = controller.cwndBytes();
    controller.onLoss(MSS, RTT, now);
    assertThat(controller.cwndBytes()).isEqualTo(window / 2);
    controller.onLoss(MSS, RTT, now + 99_000);
    controller.onLateLoss(MSS, now + 99_000);
    assertThat(controller.cwndBytes()).isEqualTo(window / 2);
    controller.onLateLoss(MSS, now + 100_000);
    assertThat(controller.cwndBytes()).isEqualTo(window / 2 / 2);
  }

  @Test
  void theWindowEndsAtOneMebibyte() {
    rounds(400, 0);
    assertThat(controller.cwndBytes()).isEqualTo(1 << 20);
  }

  @Test
  void aWindowThatIsNotFilledDoesNotGrow() {
    leaveSlowStart();
    long window = controller.cwndBytes();
    for (int i = 0; i < 60; i++) {
      now += RTT;
      controller.onRttSample(RTT, now);
      controller.onDelaySample(BASE, RTT, now);
      controller.onAck(MSS, MSS, RTT, now);
    }
    // A second of it still counts: twenty acknowledgements of a thousand bytes each.
    assertThat(controller.cwndBytes()).isBetween(window, window + 20 * 3_000L * MSS / window);
    long afterASecond = controller.cwndBytes();
    now += RTT;
    controller.onDelaySample(BASE, RTT, now);
    controller.onAck(MSS, MSS, RTT, now);
    assertThat(controller.cwndBytes()).isEqualTo(afterASecond);
  }

  @Test
  void belowAPacketItWaitsASecondAndBeginsAgain() {
    assertThat(controller.pacingRateBytesPerSecond()).isEqualTo(Long.MAX_VALUE);
    leaveSlowStart();
    rounds(200, 200_000);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
    assertThat(controller.pacingRateBytesPerSecond()).isEqualTo(MSS);
    now += 1_000_000;
    round(0);
    assertThat(controller.cwndBytes()).isEqualTo(MSS + 3_000);
    assertThat(controller.pacingRateBytesPerSecond()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aTimeoutLeavesOnePacket() {
    rounds(20, 0);
    controller.onCongestionTimeout(now);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
  }

  @Test
  void theBaseIsTheLowestOfThirteenMinutes() {
    DelayHistory history = new DelayHistory();
    history.add(100, 0);
    long minute = 60_001;
    for (int i = 1; i <= 13; i++) {
      assertThat(history.baseMicros()).as("after %d minutes", i - 1).isEqualTo(100);
      history.add(500, i * minute);
    }
    assertThat(history.baseMicros()).isEqualTo(500);
  }

  @Test
  void aQueueLongerThanTheRoundTripRaisesTheBase() {
    rounds(5, 0);
    now += RTT;
    controller.onRttSample(60_000, now);
    for (int i = 0; i < 3; i++) {
      controller.onDelaySample(BASE + 200_000, 60_000, now);
    }
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE + 200_000 - 60_000);
  }

  @Test
  void delaysThatFallTooFastEarnAPenalty() {
    ClockDrift drift = new ClockDrift();
    long delay = 100_000_000;
    for (long millis = 0; millis <= 200_000; millis += 100) {
      drift.add(delay, millis);
      delay -= 10_000; // 500 ms in five seconds.
    }
    // The average of eighths has come close to 500,000: (500,000 - 200,000) / 7.
    assertThat(drift.driftMicros()).isCloseTo(-500_000, within(15_000L));
    assertThat(drift.penaltyMicros()).isCloseTo(42_857, within(2_200L));
  }

  @Test
  void honestClocksEarnNone() {
    ClockDrift drift = new ClockDrift();
    for (long millis = 0; millis <= 200_000; millis += 100) {
      drift.add(-millis / 5, millis); // 200 ppm.
    }
    assertThat(drift.driftMicros()).isBetween(-1_001L, -900L);
    assertThat(drift.penaltyMicros()).isZero();
  }
}
