package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the controller makes of delays over minutes: route changes, clock errors, idle times. */
class LedbatDelayTest {
  private static final int MSS = 1_446;
  private static final long RTT = 50_000;
  private static final long BASE = 20_000;
  private static final long MINUTE = 60_000_000;

  @Test
  void beforeTheFirstSampleEveryDelayIsZero() {
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    assertThat(controller.currentDelayMicros()).isZero();
    assertThat(controller.baseDelayMicros()).isZero();
    assertThat(controller.queuingDelayMicros()).isZero();
  }

  @Test
  void aStepOf300MillisecondsIsQueueUntilTheHistoryHasAgedOut() {
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    long now = 0;
    for (; now < MINUTE; now += 10_000) {
      controller.onDelaySample(BASE, RTT, now);
      assertThat(controller.queuingDelayMicros()).isZero();
    }
    for (int i = 0; i < 4; i++, now += 10_000) {
      controller.onDelaySample(BASE + 300_000, RTT, now);
    }
    for (; now < 10 * MINUTE; now += 10_000) {
      controller.onDelaySample(BASE + 300_000, RTT, now);
      assertThat(controller.queuingDelayMicros()).isEqualTo(300_000);
    }
    for (; now < 15 * MINUTE; now += 10_000) {
      controller.onDelaySample(BASE + 300_000, RTT, now);
      assertThat(controller.queuingDelayMicros()).isZero();
      assertThat(controller.baseDelayMicros()).isEqualTo(BASE + 300_000);
    }
  }

  @Test
  void aShorterRouteCountsAtOnce() {
    // RFC 6817, 2.5: "If the actual base delay decreases, due to a route change, for instance, a
    // LEDBAT sender adapts immediately"
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onDelaySample(BASE - 15_000, RTT, 10_000);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE - 15_000);
    assertThat(controller.queuingDelayMicros()).isZero();
  }

  @Test
  void theQueueIsTheSmallestOfFourSamplesThatAreNoOlderThanARoundTrip() {
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onDelaySample(BASE + 30_000, RTT, 60_000);
    controller.onDelaySample(BASE + 50_000, RTT, 70_000);
    assertThat(controller.currentDelayMicros()).isEqualTo(BASE + 30_000);
    assertThat(controller.queuingDelayMicros()).isEqualTo(30_000);
    // 51 ms later the sample of 30 ms is too old.
    controller.onDelaySample(BASE + 60_000, RTT, 111_000);
    assertThat(controller.queuingDelayMicros()).isEqualTo(50_000);
  }

  @Test
  void theAgeIsJudgedAtTheAcknowledgementToo() {
    // RFC 6817, 2.5: "CURRENT_FILTER MUST be limited such that samples in the list are not older
    // than an RTT in the past."
    LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE, RTT);
    controller.onDelaySample(BASE + 40_000, RTT, 10 * RTT);
    controller.onAck(2 * MSS, 8_676, RTT, 11 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(8_965);
    controller.onAck(2 * MSS, 8_965, RTT, 11 * RTT + 1);
    assertThat(controller.cwndBytes()).isEqualTo(8_965);
  }

  @Test
  void aConstantClockOffsetCancels() {
    // RFC 6817, A.1: "the offsets cancel each other out in the queuing delay estimate"
    for (long offset : new long[] {0, 5_000_000_000L, -5_000_000_000L, -1, Integer.MIN_VALUE}) {
      LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE + offset, RTT);
      controller.onDelaySample(BASE + offset + 40_000, RTT, 10 * RTT);
      controller.onAck(2 * MSS, 8_676, RTT, 10 * RTT);
      assertThat(controller.queuingDelayMicros()).isEqualTo(40_000);
      assertThat(controller.currentDelayMicros()).isEqualTo(BASE + offset + 40_000);
      assertThat(controller.baseDelayMicros()).isEqualTo(BASE + offset);
      assertThat(controller.cwndBytes()).isEqualTo(8_965);
    }
  }

  @Test
  void clockSkewAddsNoMoreThanTheHistoryHolds() {
    // RFC 6817, A.2: "any error accumulation is limited to the amount of history maintained by the
    // base delay estimator"
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    long worst = 0;
    for (long now = 0; now < 60 * MINUTE; now += 20_000) {
      // The receiver's clock gains 100 ppm: 6 ms a minute.
      controller.onDelaySample(BASE + now / 10_000, RTT, now);
      worst = Math.max(worst, controller.queuingDelayMicros());
    }
    assertThat(worst).isBetween(59_000L, 60_000L);
  }

  @Test
  void anIdleMinuteLeavesTheHistoryOfTheOthers() {
    // RFC 6817, 2.4.2: "LEDBAT thus requires that during idle periods, an implementation must
    // maintain the base delay list."
    LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE, RTT);
    controller.onIdleEnd(3 * MINUTE, 3 * MINUTE);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE);
    assertThat(controller.cwndBytes()).isEqualTo(8_676);
    controller.onDelaySample(BASE + 70_000, RTT, 3 * MINUTE + RTT);
    assertThat(controller.queuingDelayMicros()).isEqualTo(70_000);
  }

  @Test
  void afterIdlingForTheWholeHistoryMeasurementBeginsAnew() {
    // RFC 6817, 2.4.2: "If the connection has been idle for BASE_HISTORY minutes, all minima in the
    // list are thus set to +INFINITY and measurement begins anew."
    LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE, RTT);
    controller.onIdleEnd(10 * MINUTE, 10 * MINUTE);
    assertThat(controller.baseDelayMicros()).isZero();
    assertThat(controller.currentDelayMicros()).isZero();
    assertThat(controller.queuingDelayMicros()).isZero();
    controller.onDelaySample(BASE + 70_000, RTT, 10 * MINUTE + RTT);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE + 70_000);
    assertThat(controller.queuingDelayMicros()).isZero();
  }

  @Test
  void afterIdlingForTheWholeHistoryTheWindowBeginsAnewToo() {
    LedbatController controller = LedbatControllers.withWindow(64 * MSS, MSS, BASE, RTT);
    controller.onIdleEnd(10 * MINUTE - 1, 10 * MINUTE - 1);
    assertThat(controller.cwndBytes()).isEqualTo(64 * MSS);
    controller.onIdleEnd(10 * MINUTE, 10 * MINUTE);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void idlingNeverRaisesTheWindow() {
    LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE, RTT);
    controller.onCongestionTimeout(0);
    controller.onIdleEnd(60 * MINUTE, 60 * MINUTE);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
  }

  @Test
  void idlingLongerThanARoundTripDropsTheCurrentDelays() {
    LedbatController controller = LedbatControllers.withWindow(8_676, MSS, BASE, RTT);
    controller.onDelaySample(BASE + 90_000, RTT, 10 * RTT);
    assertThat(controller.queuingDelayMicros()).isEqualTo(90_000);
    controller.onIdleEnd(RTT, 11 * RTT);
    assertThat(controller.queuingDelayMicros()).isEqualTo(90_000);
    controller.onIdleEnd(RTT + 1, 11 * RTT + 1);
    assertThat(controller.queuingDelayMicros()).isZero();
  }

  @Test
  void theQueuingDelayIsNeverNegative() {
    // RFC 6817, 4.2: "the queueing delay estimate is non-negative"
    // With a history of one minute the filter outlives the base delay at the minute's change.
    LedbatController controller =
        new LedbatController(new LedbatParameters(100_000, 1, 1, 2, 2, 1, 4, false), MSS);
    controller.onDelaySample(BASE, RTT, MINUTE - 1_000);
    controller.onDelaySample(BASE + 80_000, RTT, MINUTE);
    assertThat(controller.currentDelayMicros()).isEqualTo(BASE);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE + 80_000);
    assertThat(controller.queuingDelayMicros()).isZero();
    controller.onAck(2 * MSS, 2 * MSS, RTT, MINUTE);
    // off_target is 1, not 1.8.
    assertThat(controller.cwndBytes()).isEqualTo(3 * MSS);
  }
}
