package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/**
 * The rules of draft-irtf-iccrg-ledbat-plus-plus, section 4, in numbers (MSS 1000, TARGET 60 ms).
 */
class LedbatPlusPlusControllerTest {
  private static final int MSS = 1_000;
  private static final LedbatParameters PARAMETERS =
      LedbatParameters.recommended().withTargetDelayMicros(60_000);

  private long nowMicros = 1;

  private static LedbatPlusPlusController controller() {
    return new LedbatPlusPlusController(PARAMETERS, MSS);
  }

  /** One round trip later {@code bytes} are acknowledged, packet by packet, the window full. */
  private void round(LedbatPlusPlusController controller, long rttMicros, long bytes) {
    nowMicros += rttMicros;
    for (long acked = 0; acked < bytes; acked += MSS) {
      controller.onRttSample(rttMicros, nowMicros);
      controller.onAck(MSS, controller.cwndBytes(), rttMicros, nowMicros);
    }
  }

  /** Before the first slowdown is due, {@code bytes} are acknowledged with this queuing delay. */
  private void ack(
      LedbatPlusPlusController controller, long bytes, long flightBytes, long queueMicros) {
    nowMicros += 60_000;
    controller.onRttSample(50_000 + queueMicros, nowMicros);
    controller.onAck(bytes, flightBytes, 50_000, nowMicros);
  }

  /** In congestion avoidance with a window of {@code packets} on a path of {@code baseMicros}. */
  private LedbatPlusPlusController avoiding(int packets, long baseMicros) {
    LedbatPlusPlusController controller = controller();
    controller.onRttSample(baseMicros, nowMicros);
    while (controller.cwndBytes() < 2L * packets * MSS) {
      round(controller, baseMicros, controller.cwndBytes());
    }
    controller.cwnd = 2.0 * packets * MSS;
    controller.onLoss(MSS, baseMicros, nowMicros);
    assertThat(controller.cwndBytes()).isEqualTo((long) packets * MSS);
    return controller;
  }

  @Test
  void gainFollowsTheBaseRoundTrip() {
    // LEDBAT++, 4.2: "GAIN = 1 / (min (16, CEIL (2*TARGET/base)))"
    long[] baseMillis = {1, 5, 10, 20, 50, 100, 120, 300};
    double[] gains = {1 / 16.0, 1 / 16.0, 1 / 12.0, 1 / 6.0, 1 / 3.0, 1 / 2.0, 1, 1};
    for (int i = 0; i < gains.length; i++) {
      LedbatPlusPlusController controller = controller();
      assertThat(controller.gain()).isEqualTo(1 / 16.0);
      controller.onRttSample(baseMillis[i] * 1_000, nowMicros);
      assertThat(controller.gain()).as("base %d ms", baseMillis[i]).isEqualTo(gains[i]);
    }
  }

  @Test
  void slowStartGrowsByGainTimesWhatWasAcknowledged() {
    LedbatPlusPlusController controller = controller();
    round(controller, 50_000, 2 * MSS);
    assertThat(controller.cwnd).isCloseTo(2 * MSS * 4 / 3.0, within(1e-6));
  }

  @Test
  void slowStartEndsAboveThreeQuartersOfTarget() {
    // LEDBAT++, 4.1: "If the queuing delay is larger than 3/4ths of the target delay, exit slow
    // start and immediately move to the congestion avoidance phase"
    LedbatPlusPlusController controller = controller();
    controller.onRttSample(120_000, nowMicros);
    round(controller, 165_000, 2 * MSS); // 45 ms of queue: exactly 3/4.
    assertThat(controller.cwnd).isCloseTo(4 * MSS, within(1e-6));
    nowMicros++; // What came before is older than a round trip then.
    round(controller, 165_001, MSS);
    assertThat(controller.cwnd).isCloseTo(4 * MSS, within(1e-6));
    // What follows grows by GAIN a round trip, not by GAIN times what was acknowledged.
    round(controller, 120_000, MSS);
    assertThat(controller.cwnd).isCloseTo(4.25 * MSS, within(1e-6));
  }

  @Test
  void upToTargetTheWindowGrowsByGainARoundTripHoweverFullTheQueueIs() {
    for (long queueMicros : new long[] {0, 30_000, 60_000}) {
      LedbatPlusPlusController controller = avoiding(50, 50_000);
      ack(controller, 50 * MSS, 50 * MSS, queueMicros);
      assertThat(controller.cwnd).isCloseTo((50 + 1 / 3.0) * MSS, within(1e-6));
    }
  }

  @Test
  void aboveTargetTheWindowShrinksInProportion() {
    // LEDBAT++, 4.3: "W += max( (GAIN - Constant * W * (delay/target - 1)), -W/2)"
    LedbatPlusPlusController controller = avoiding(50, 50_000);
    ack(controller, 25 * MSS, 50 * MSS, 66_000);
    // 66 ms of queue: 1/3 - 50 * 0.1 packets a round trip, of which half has passed.
    assertThat(controller.cwnd).isCloseTo((50 + (1 / 3.0 - 5) / 2) * MSS, within(1e-6));
  }

  @Test
  void theWindowLosesAtMostHalfARoundTrip() {
    // LEDBAT++, 4.3: "W += max( (GAIN - Constant * W * (delay/target - 1)), -W/2)"
    LedbatPlusPlusController controller = avoiding(50, 50_000);
    ack(controller, 50 * MSS, 50 * MSS, 450_000);
    assertThat(controller.cwnd).isCloseTo(25 * MSS, within(1e-6));
  }

  @Test
  void theBoundOfRfc6817HoldsWhenTheApplicationSendsLittle() {
    LedbatPlusPlusController controller = avoiding(50, 50_000);
    ack(controller, MSS, 10 * MSS, 0);
    assertThat(controller.cwndBytes()).isEqualTo(11 * MSS);
  }

  @Test
  void slowdownsComeAfterTwoRoundTripsAndThenAfterNineTimesTheirLength() {
    // LEDBAT++, 4.4: "the initial slowdown begins 2 RTT after the initial slow start completes"
    // LEDBAT++, 4.4: "set SSTHRESH to the current version of the congestion window CWND, and then
    // reduce CWND to 2 packets."
    // LEDBAT++, 4.4: "frozen at 2 packets for 2 RTT"
    // LEDBAT++, 4.4: "ramp up the congestion window according to the slow start algorithm, until
    // the congestion window reaches SSTHRESH"
    // LEDBAT++, 4.4: "9 times this duration"
    long rtt = 120_000; // GAIN is 1.
    LedbatPlusPlusController controller = avoiding(64, rtt);
    long avoidingSince = nowMicros;
    round(controller, rtt, 64 * MSS);
    assertThat(controller.cwndBytes()).isGreaterThan(64 * MSS);
    long before = controller.cwndBytes();
    round(controller, rtt, MSS);
    // "the initial slowdown begins 2 RTT after": two packets, for two round trips.
    assertThat(nowMicros - avoidingSince).isEqualTo(2 * rtt);
    long began = nowMicros;
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    round(controller, rtt, 64 * MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    round(controller, rtt, MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    // Then slow start, here doubling, up to the window before: 4, 8, 16, 32, 64, and the rest.
    int rounds = 0;
    while (controller.cwndBytes() < before) {
      round(controller, rtt, controller.cwndBytes());
      rounds++;
    }
    assertThat(rounds).isEqualTo(6);
    assertThat(controller.cwndBytes()).isBetween(before, before + MSS);
    long ended = nowMicros;
    long next = ended + 9 * (ended - began);
    while (nowMicros + rtt < next) {
      round(controller, rtt, controller.cwndBytes());
      assertThat(controller.cwndBytes()).isGreaterThanOrEqualTo(before);
    }
    round(controller, rtt, MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void aSlowdownSeesTheEmptyPathThatTheBaseHadForgotten() {
    // LEDBAT++, 4.4: "allowing queues to drain and transmission delay measurements to converge to
    // the base delay."
    LedbatPlusPlusController controller = avoiding(64, 120_000);
    long queued = 180_000;
    // Eleven minutes of a standing queue: the base becomes 180 ms ...
    for (int i = 0; i < 60 * 11; i++) {
      nowMicros += 1_000_000;
      controller.onRttSample(queued, nowMicros);
    }
    assertThat(controller.baseDelayMicros()).isEqualTo(queued);
    // ... until a sample of the drained path comes.
    controller.onRttSample(120_000, nowMicros);
    assertThat(controller.queuingDelayMicros()).isZero();
    controller.onRttSample(queued, nowMicros + 2 * queued);
    assertThat(controller.queuingDelayMicros()).isEqualTo(60_000);
  }

  @Test
  void timeWithoutUseIsNoPartOfASlowdown() {
    long rtt = 120_000;
    LedbatPlusPlusController controller = avoiding(64, rtt);
    round(controller, rtt, MSS);
    long threshold = controller.cwndBytes();
    round(controller, rtt, MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    // The application says nothing for an hour, during the freeze and again during the ramp.
    long began = nowMicros + 2 * 3_600_000_000L;
    nowMicros += 3_600_000_000L;
    controller.onRttSample(rtt, nowMicros);
    controller.onAck(1, 1, rtt, nowMicros);
    nowMicros += 3_600_000_000L;
    controller.onRttSample(rtt, nowMicros);
    controller.onAck(1, 1, rtt, nowMicros);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    while (controller.cwndBytes() < threshold) {
      round(controller, rtt, controller.cwndBytes());
    }
    long ended = nowMicros;
    while (controller.cwndBytes() > 2 * MSS) {
      round(controller, rtt, controller.cwndBytes());
    }
    assertThat(nowMicros - ended).isBetween(9 * (ended - began), 9 * (ended - began) + rtt);
  }

  @Test
  void aLossAndAQueueInOneRoundTripTakeHalfOfTheWindowTogether() {
    LedbatPlusPlusController controller = avoiding(100, 50_000);
    ack(controller, 50 * MSS, 100 * MSS, 120_000); // Half of W/2.
    assertThat(controller.cwnd).isCloseTo(75 * MSS, within(1e-6));
    controller.onLoss(MSS, 50_000, nowMicros + 1);
    assertThat(controller.cwnd).isCloseTo(50 * MSS, within(1e-6));
    controller.onAck(25 * MSS, 100 * MSS, 50_000, nowMicros + 2);
    assertThat(controller.cwnd).as("the same round trip").isCloseTo(50 * MSS, within(1e-6));
    controller.onLoss(MSS, 50_000, nowMicros + 50_001);
    assertThat(controller.cwnd).as("the next").isCloseTo(25 * MSS, within(1e-6));
  }

  @Test
  void aLossHalvesAtMostOnceARoundTripAndEndsTheRamp() {
    LedbatPlusPlusController controller = avoiding(64, 120_000);
    nowMicros += 120_000;
    controller.onLoss(MSS, 120_000, nowMicros);
    controller.onLoss(MSS, 120_000, nowMicros + 119_999);
    assertThat(controller.cwndBytes()).isEqualTo(32 * MSS);
    nowMicros += 120_000;
    round(controller, 120_000, MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    // Lost from the window before the slowdown: the ramp returns to half of it.
    controller.onLoss(MSS, 120_000, nowMicros + 1_000);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    round(controller, 240_000, MSS);
    for (int i = 0; i < 3; i++) {
      round(controller, 120_000, controller.cwndBytes());
    }
    assertThat(controller.cwndBytes()).isEqualTo(16 * MSS);
    round(controller, 120_000, controller.cwndBytes());
    assertThat(controller.cwndBytes()).isBetween(16_900L, 17_000L);
  }

  @Test
  void afterATimeoutSlowStartRunsToHalfTheWindow() {
    LedbatPlusPlusController controller = avoiding(64, 120_000);
    controller.onCongestionTimeout(nowMicros);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
    for (int i = 0; i < 5; i++) {
      round(controller, 120_000, controller.cwndBytes());
    }
    assertThat(controller.cwndBytes()).isEqualTo(32 * MSS);
  }

  @Test
  void withoutSamplesTheWindowStays() {
    LedbatPlusPlusController controller = controller();
    for (int i = 1; i < 100; i++) {
      controller.onAck(2 * MSS, 2 * MSS, 50_000, i * 50_000L);
      assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    }
  }

  @Test
  void slowStartGoesOnAfterALossThatWasNone() {
    LedbatPlusPlusController controller = controller();
    round(controller, 120_000, 2 * MSS);
    controller.onLoss(MSS, 120_000, nowMicros);
    assertThat(controller.state()).isEqualTo("avoidance");
    controller.onSpuriousLoss(MSS, nowMicros);
    assertThat(controller.state()).isEqualTo("slow_start");
    assertThat(controller.cwndBytes()).isEqualTo(4 * MSS);
    // Not even the first slowdown is due: that is two round trips after slow start.
    for (int rounds = 1; rounds <= 4; rounds++) {
      round(controller, 120_000, controller.cwndBytes());
    }
    assertThat(controller.cwndBytes()).isEqualTo(64 * MSS);
  }

  @Test
  void aWindowInAvoidanceComesBackAfterALossThatWasNone() {
    LedbatPlusPlusController controller = avoiding(10, 120_000);
    nowMicros += 120_000;
    controller.onLoss(MSS, 120_000, nowMicros);
    assertThat(controller.cwndBytes()).isEqualTo(5 * MSS);
    controller.onSpuriousLoss(MSS, nowMicros);
    assertThat(controller.cwndBytes()).isEqualTo(10 * MSS);
    assertThat(controller.state()).isEqualTo("avoidance");
  }
}
