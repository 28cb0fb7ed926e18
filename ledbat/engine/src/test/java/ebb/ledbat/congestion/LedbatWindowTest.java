package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The window arithmetic of RFC 6817, 2.4.2, in exact bytes (MSS 1446, TARGET 100 ms). */
class LedbatWindowTest {
  private static final int MSS = 1_446;
  private static final long RTT = 50_000;
  private static final long BASE = 20_000;

  @Test
  void theWindowStartsAtTwoSegmentsWithoutSlowStart() {
    // RFC 6817, 2.4.2: "cwnd = INIT_CWND * MSS"
    // RFC 6817, 2.2: "conservative congestion control implementations employing LEDBAT may skip
    // slow start altogether"
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    controller.onDelaySample(BASE, RTT, 0);
    // An empty queue and a whole window acknowledged: one segment more, as TCP Reno, not twice.
    controller.onAck(2 * MSS, 2 * MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(3 * MSS);
  }

  @Test
  void theInitialWindowIsAtMostTcps() {
    // RFC 5681, 3.1: "IW, the initial value of cwnd, MUST be set using the following guidelines as
    // an upper bound."
    // RFC 6817, 2.5: "MUST be no larger than the corresponding values specified for TCP [RFC5681]."
    LedbatParameters four = new LedbatParameters(100_000, 1, 1, 4, 2, 10, 4, false);
    assertThat(new LedbatController(four, 1_095).cwndBytes()).isEqualTo(4 * 1_095);
    assertThat(new LedbatController(four, 1_096).cwndBytes()).isEqualTo(3 * 1_096);
    assertThat(new LedbatController(four, 2_190).cwndBytes()).isEqualTo(3 * 2_190);
    assertThat(new LedbatController(four, 2_191).cwndBytes()).isEqualTo(2 * 2_191);
  }

  @Test
  void belowTargetTheWindowGrowsInProportionToTheDistance() {
    // RFC 6817, 2.4.2: "cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd"
    // 8676 + 0.6 * 2892 * 1446 / 8676 = 8676 + 289.2
    assertThat(after(8_676, 8_676, 40_000)).isEqualTo(8_965);
  }

  @Test
  void aboveTargetTheWindowShrinksInProportionToTheDistance() {
    // RFC 6817, 2.4.2: "cwnd += GAIN * off_target * bytes_newly_acked * MSS / cwnd"
    // 8676 - 0.2 * 482 = 8579.6
    assertThat(after(8_676, 8_676, 120_000)).isEqualTo(8_579);
  }

  @Test
  void atTargetTheWindowStays() {
    assertThat(after(8_676, 8_676, 100_000)).isEqualTo(8_676);
  }

  @Test
  void offTargetIsFractionalOnBothSides() {
    // RFC 6817, 2.4.2: "off_target = (TARGET - queuing_delay) / TARGET"
    // Integer division gives 0 for both: 482 * 0.01 = 4.82 up, 4.82 down.
    assertThat(after(8_676, 8_676, 99_000)).isEqualTo(8_680);
    assertThat(after(8_676, 8_676, 101_000)).isEqualTo(8_671);
  }

  @Test
  void offTargetFallsBelowMinusOneWhereTheDelayIsMoreThanTwiceTarget() {
    // RFC 6817, 2.4.2: "queuing_delay = FILTER(current_delays) - MIN(base_delays); off_target =
    // (TARGET - queuing_delay) / TARGET"
    // (100 - 400) / 100 = -3: 8676 - 3 * 482 = 7230
    assertThat(after(8_676, 8_676, 400_000)).isEqualTo(7_230);
    assertThat(after(8_676, 8_676, 300_000)).isEqualTo(8_676 - 2 * 482);
  }

  @Test
  void gainScalesTheStep() {
    LedbatController controller =
        new LedbatController(new LedbatParameters(100_000, 0.25, 1, 2, 2, 10, 4, false), MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onAck(2 * MSS, 2 * MSS, RTT, 0);
    // 2892 + 0.25 * 1 * 1446 = 3253.5
    assertThat(controller.cwndBytes()).isEqualTo(3_253);
  }

  @Test
  void everySampleOfAnAcknowledgementCounts() {
    // RFC 6817, 2.4.2: "for each delay sample in the acknowledgement"
    // RFC 6817, 2.4.2: "The cwnd is adjusted based on the total number of bytes ACKed and the final
    // filtered value of queueing_delay"
    LedbatController controller = withWindow(8_676);
    long now = 10 * RTT;
    // The smallest of the three is the current delay: 40 ms of queue.
    controller.onDelaySample(BASE + 90_000, RTT, now);
    controller.onDelaySample(BASE + 40_000, RTT, now);
    controller.onDelaySample(BASE + 70_000, RTT, now);
    controller.onAck(2 * MSS, 8_676, RTT, now);
    assertThat(controller.queuingDelayMicros()).isEqualTo(40_000);
    assertThat(controller.cwndBytes()).isEqualTo(8_965);
  }

  @Test
  void aBundledSampleThatLowersTheBaseCountsAtOnce() {
    // RFC 6817, 2.4.2: "for each delay sample in the acknowledgement: delay =
    // acknowledgement.delay; update_base_delay(delay)"
    LedbatController controller = withWindow(8_676);
    long now = 10 * RTT;
    controller.onDelaySample(BASE - 5_000, RTT, now);
    controller.onDelaySample(BASE + 30_000, RTT, now + 2 * RTT);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE - 5_000);
    assertThat(controller.queuingDelayMicros()).isEqualTo(35_000);
  }

  @Test
  void increasesOfLessThanAByteAddUp() {
    // RFC 6817, 2.2: "A sender MAY maintain its cwnd in bytes"
    int mss = 1_446;
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), mss);
    controller.onDelaySample(BASE, RTT, 0);
    double expected = controller.cwndBytes();
    // Each step is 0.001 * 100 * 1446 / cwnd, about 0.05 bytes.
    controller.onDelaySample(BASE + 99_900, RTT, 10 * RTT);
    for (int i = 0; i < 1_000; i++) {
      controller.onAck(100, 100_000, RTT, 10 * RTT);
      expected += 0.001 * 100 * mss / expected;
    }
    assertThat(expected).isGreaterThan(2 * mss + 45);
    assertThat((double) controller.cwndBytes()).isCloseTo(expected, within(1.0));
  }

  @Test
  void aWholeWindowWithoutQueueAddsOneSegmentHoweverItIsAcknowledged() {
    // RFC 5681, 3.1: "during congestion avoidance, cwnd MUST NOT be increased by more than SMSS
    // bytes per RTT."
    // RFC 6817, 2.4.2: "bytes_newly_acked is the number of bytes that this ACK newly acknowledges"
    // RFC 6817, 3.2.1: "a LEDBAT flow never ramps up faster than a competing TCP flow over the same
    // path."
    LedbatController perPacket = withWindow(100 * MSS);
    LedbatController perByte = withWindow(100 * MSS);
    for (int i = 0; i < 100; i++) {
      perPacket.onAck(MSS, 100 * MSS, RTT, 0);
    }
    for (int i = 0; i < 100 * MSS; i++) {
      perByte.onAck(1, 100 * MSS, RTT, 0);
    }
    // Slightly less than a segment, because cwnd in the divisor grows meanwhile: Reno's bound.
    assertThat(perPacket.cwndBytes()).isBetween(101L * MSS - 10, 101L * MSS);
    assertThat(perByte.cwndBytes()).isBetween(101L * MSS - 10, 101L * MSS);
  }

  @Test
  void withoutAFreshDelayTheWindowDoesNotGrow() {
    LedbatController blind = new LedbatController(LedbatParameters.recommended(), MSS);
    blind.onAck(2 * MSS, 10 * MSS, RTT, 0);
    assertThat(blind.cwndBytes()).isEqualTo(2 * MSS);
    LedbatController stale = withWindow(8_676);
    stale.onAck(2 * MSS, 8_676, RTT, 10 * RTT);
    assertThat(stale.cwndBytes()).isEqualTo(8_676);
  }

  @Test
  void theWindowIsAtMostTheFlightPlusOneSegment() {
    // RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS; cwnd = min(cwnd,
    // max_allowed_cwnd)"
    assertThat(after(8_676, 7_230, 40_000)).isEqualTo(7_230 + 1_446);
  }

  @Test
  void theBoundHoldsEvenBelowTheWindowOfTheMoment() {
    // RFC 6817, 2.4.2: "When the sender is application-limited, the sender's cwnd is clamped down
    // using max_allowed_cwnd to a little more than flightsize."
    // An application that sends little: cwnd follows flightsize down.
    assertThat(after(8_676, 2 * MSS, 40_000)).isEqualTo(3 * MSS);
    assertThat(after(8_676, MSS, 40_000)).isEqualTo(2 * MSS);
  }

  @Test
  void anIdleApplicationDoesNotInflateTheWindow() {
    LedbatController controller = withWindow(2 * MSS);
    long now = 0;
    for (int i = 0; i < 10_000; i++) {
      now += RTT;
      controller.onDelaySample(BASE, RTT, now);
      controller.onAck(100, 100, RTT, now);
      assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    }
  }

  @Test
  void allowedIncreaseScalesTheBound() {
    // RFC 6817, 2.4.2: "max_allowed_cwnd = flightsize + ALLOWED_INCREASE * MSS"
    LedbatController controller =
        new LedbatController(new LedbatParameters(100_000, 1, 0.5, 2, 2, 10, 4, false), MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onAck(2 * MSS, 2 * MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS + MSS / 2);
  }

  @Test
  void theWindowIsAtLeastTwoSegments() {
    // RFC 6817, 2.4.2: "cwnd = max(cwnd, MIN_CWND * MSS)"
    assertThat(after(2_892, 2_892, 120_000)).isEqualTo(2_892);
    assertThat(after(8_676, 8_676, 1_000_000_000)).isEqualTo(2_892);
  }

  @Test
  void aHostileDelayCannotBreakTheWindow() {
    LedbatController controller = withWindow(8_676);
    long now = 0;
    for (long delay : new long[] {1L << 62, -(1L << 62), 0, 1L << 62, 7, -(1L << 62)}) {
      now += 10 * RTT;
      controller.onDelaySample(delay, RTT, now);
      controller.onAck(MSS, 8_676, RTT, now);
      assertThat(controller.queuingDelayMicros()).isNotNegative();
      assertThat(controller.cwndBytes()).isBetween(2L * MSS, 8_676L + MSS);
    }
  }

  @Test
  void aNewSegmentSizeLeavesTheBytesOfTheWindow() {
    // RFC 8899, 3: "An update to the PLPMTU (or MPS) MUST NOT increase the congestion window
    // measured in bytes"
    LedbatController controller = withWindow(8_676);
    controller.setMssBytes(1_200);
    assertThat(controller.cwndBytes()).isEqualTo(8_676);
    controller.onDelaySample(BASE + 40_000, RTT, 10 * RTT);
    controller.onAck(2_400, 8_676, RTT, 10 * RTT);
    // 8676 + 0.6 * 2400 * 1200 / 8676 = 8676 + 199.2
    assertThat(controller.cwndBytes()).isEqualTo(8_875);
  }

  @Test
  void aLargerSegmentRaisesTheFloorWithTheNextAcknowledgement() {
    LedbatController controller = withWindow(3 * MSS);
    controller.setMssBytes(9_000);
    assertThat(controller.cwndBytes()).isEqualTo(9_000);
    controller.onAck(MSS, 3 * MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(2 * 9_000);
  }

  @Test
  void theInitialWindowFollowsTheSegmentSize() {
    // RFC 5681, 3.1: "cwnd SHOULD be reduced by the ratio of the old segment size to the new
    // segment size."
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), 1_400);
    controller.setMssBytes(556);
    assertThat(controller.cwndBytes()).isEqualTo(2 * 556);
    controller.setMssBytes(1_180);
    assertThat(controller.cwndBytes()).isEqualTo(2 * 1_180);
  }

  @Test
  void aNewTargetCountsFromTheNextAcknowledgement() {
    LedbatController controller = withWindow(8_676);
    controller.setTargetDelayMicros(50_000);
    controller.onDelaySample(BASE + 40_000, RTT, 10 * RTT);
    controller.onAck(2 * MSS, 8_676, RTT, 10 * RTT);
    // 8676 + 0.2 * 482 = 8772.4
    assertThat(controller.cwndBytes()).isEqualTo(8_772);
  }

  private static long after(long cwndBytes, long flightBytes, long queuingDelayMicros) {
    LedbatController controller = withWindow(cwndBytes);
    long now = 10 * RTT;
    controller.onDelaySample(BASE + queuingDelayMicros, RTT, now);
    controller.onAck(2 * MSS, flightBytes, RTT, now);
    assertThat(controller.queuingDelayMicros()).isEqualTo(queuingDelayMicros);
    return controller.cwndBytes();
  }

  private static LedbatController withWindow(long cwndBytes) {
    return LedbatControllers.withWindow(cwndBytes, MSS, BASE, RTT);
  }
}
