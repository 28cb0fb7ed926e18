package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Loss and congestion timeout of RFC 6817, 2.4.2. */
class LedbatLossTest {
  private static final int MSS = 1_446;
  private static final long RTT = 50_000;
  private static final long BASE = 20_000;

  @Test
  void aLossHalvesTheWindow() {
    // BEP 29, packet loss: "When a packet is lost, the max_window is multiplied by 0.5 to mimic
    // TCP."
    // RFC 6817, 2.4.2: "cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))"
    // RFC 6817, 3.2.2: "even if the queueing delay estimates indicate otherwise, a loss is assumed
    // to be a strong indication of congestion."
    LedbatController controller = withWindow(8 * MSS);
    controller.onLoss(MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(4 * MSS);
  }

  @Test
  void aLossHalvesTheWindowAtMostOncePerRoundTrip() {
    // RFC 6817, 2.4.2: "on data loss: at most once per RTT"
    LedbatController controller = withWindow(64 * MSS);
    controller.onLoss(MSS, RTT, 1_000_000);
    controller.onLoss(MSS, RTT, 1_000_001);
    controller.onLoss(MSS, RTT, 1_000_000 + RTT - 1);
    assertThat(controller.cwndBytes()).isEqualTo(32 * MSS);
    controller.onLoss(MSS, RTT, 1_000_000 + RTT);
    assertThat(controller.cwndBytes()).isEqualTo(16 * MSS);
    controller.onLoss(MSS, RTT, 1_000_000 + 2 * RTT - 1);
    assertThat(controller.cwndBytes()).isEqualTo(16 * MSS);
  }

  @Test
  void theFirstLossCountsWhateverTheClockSays() {
    for (long now : new long[] {Long.MIN_VALUE / 2, -1, 0, 1, Long.MAX_VALUE / 2}) {
      LedbatController controller = withWindow(8 * MSS);
      controller.onLoss(MSS, RTT, now);
      assertThat(controller.cwndBytes()).isEqualTo(4 * MSS);
    }
  }

  @Test
  void whileTheRoundTripIsUnknownItIsTakenForOneSecond() {
    LedbatController controller = withWindow(8 * MSS);
    controller.onLoss(MSS, 0, 0);
    controller.onLoss(MSS, 0, 999_999);
    assertThat(controller.cwndBytes()).isEqualTo(4 * MSS);
    controller.onLoss(MSS, 0, 1_000_000);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void aLossThatWasNoneIsTakenBackOnce() {
    LedbatController controller = withWindow(64 * MSS);
    controller.onLoss(MSS, RTT, 1_000_000);
    controller.onSpuriousLoss(MSS, 1_000_001);
    assertThat(controller.cwndBytes()).isEqualTo(64 * MSS);
    controller.onLoss(MSS, RTT, 1_000_002);
    assertThat(controller.cwndBytes()).as("a true one counts at once").isEqualTo(32 * MSS);
    controller.onLoss(MSS, RTT, 1_000_003);
    controller.onSpuriousLoss(MSS, 1_000_004);
    assertThat(controller.cwndBytes()).as("what reduced nothing gives nothing").isEqualTo(32 * MSS);
  }

  @Test
  void aTimeoutAfterALossIsNotTakenBack() {
    LedbatController controller = withWindow(64 * MSS);
    controller.onLoss(MSS, RTT, 1_000_000);
    controller.onCongestionTimeout(1_000_001);
    controller.onSpuriousLoss(MSS, 1_000_002);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
  }

  @Test
  void slowStartGoesOnAfterALossThatWasNone() {
    LedbatParameters slowStart = new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, true);
    LedbatController controller = new LedbatController(slowStart, MSS);
    controller.onDelaySample(BASE, RTT, 0);
    controller.onAck(2 * MSS, 2 * MSS, RTT, 0);
    controller.onLoss(MSS, RTT, 0);
    controller.onSpuriousLoss(MSS, 1);
    controller.onAck(4 * MSS, 4 * MSS, RTT, 2);
    assertThat(controller.cwndBytes()).isEqualTo(8 * MSS);
  }

  @Test
  void aLossLeavesAtLeastTwoSegments() {
    // RFC 6817, 2.4.2: "max (cwnd/2, MIN_CWND * MSS)"
    LedbatController controller = withWindow(3 * MSS);
    controller.onLoss(MSS, RTT, 0);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
    controller.onLoss(MSS, RTT, RTT);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void aLossNeverRaisesTheWindow() {
    // RFC 6817, 2.4.2: "cwnd = min (cwnd, max (cwnd/2, MIN_CWND * MSS))"
    LedbatController controller = withWindow(8 * MSS);
    controller.onCongestionTimeout(0);
    controller.onLoss(MSS, RTT, 10 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
  }

  @Test
  void theAmountLostDoesNotMatter() {
    LedbatController one = withWindow(8 * MSS);
    LedbatController many = withWindow(8 * MSS);
    one.onLoss(1, RTT, 0);
    many.onLoss(8 * MSS, RTT, 0);
    assertThat(many.cwndBytes()).isEqualTo(one.cwndBytes());
  }

  @Test
  void aCongestionTimeoutLeavesOneSegment() {
    // RFC 5681, 3.1: "cwnd MUST be set to no more than the loss window, LW, which equals 1
    // full-sized segment"
    // RFC 6817, 2.4.2: "if no ACKs are received within a CTO: ... cwnd = 1 * MSS"
    LedbatController controller = withWindow(64 * MSS);
    controller.onCongestionTimeout(0);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
    controller.onCongestionTimeout(1);
    assertThat(controller.cwndBytes()).isEqualTo(MSS);
  }

  @Test
  void theNextAcknowledgementBringsTheMinimumBack() {
    LedbatController controller = withWindow(64 * MSS);
    controller.onCongestionTimeout(0);
    controller.onDelaySample(BASE + 300_000, RTT, 10 * RTT);
    controller.onAck(MSS, MSS, RTT, 10 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void aTimeoutKeepsTheDelaysThatWereMeasured() {
    LedbatController controller = withWindow(8 * MSS);
    controller.onCongestionTimeout(0);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE);
    controller.onDelaySample(BASE + 30_000, RTT, 10 * RTT);
    assertThat(controller.queuingDelayMicros()).isEqualTo(30_000);
  }

  @Test
  void aLargerSegmentStillFitsAfterATimeout() {
    LedbatController controller = withWindow(8 * MSS);
    controller.setMssBytes(1_180);
    controller.onCongestionTimeout(0);
    controller.setMssBytes(1_380);
    assertThat(controller.cwndBytes()).isEqualTo(1_380);
  }

  @Test
  void afterATimeoutSlowStartRunsToHalfOfTheWindow() {
    // RFC 5681, 3.1: "ssthresh = max (FlightSize / 2, 2*SMSS)"
    // RFC 5681, 3.1: "The slow start algorithm is used when cwnd < ssthresh, while the congestion
    // avoidance algorithm is used when cwnd > ssthresh."
    LedbatController controller =
        new LedbatController(new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, true), MSS);
    long now = 0;
    while (controller.cwndBytes() < 64 * MSS) {
      now = acknowledgeTheWindow(controller, now);
    }
    controller.onCongestionTimeout(now);
    for (int packets = 2; packets <= 32; packets *= 2) {
      now = acknowledgeTheWindow(controller, now);
      assertThat(controller.cwndBytes()).isEqualTo(packets * MSS);
    }
    now = acknowledgeTheWindow(controller, now);
    assertThat(controller.cwndBytes()).isEqualTo(33 * MSS);
  }

  private static long acknowledgeTheWindow(LedbatController controller, long nowMicros) {
    long now = nowMicros + RTT;
    long window = controller.cwndBytes();
    controller.onDelaySample(BASE, RTT, now);
    controller.onAck(window, window, RTT, now);
    return now;
  }

  @Test
  void aTimeoutOfTheHandshakeStartsWithOneSegment() {
    // RFC 5681, 3.1: "if the SYN or SYN/ACK is lost, the initial window ... MUST be one segment".
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), 1_380);
    controller.onCongestionTimeout(0);
    assertThat(controller.cwndBytes()).isEqualTo(1_380);
    controller.setMssBytes(1_380);
    assertThat(controller.cwndBytes()).isEqualTo(1_380);
  }

  @Test
  void aLossEndsTheInitialWindow() {
    LedbatController controller =
        new LedbatController(new LedbatParameters(100_000, 1, 1, 4, 2, 10, 4, false), 1_000);
    controller.onLoss(1_000, RTT, 0);
    controller.setMssBytes(900);
    assertThat(controller.cwndBytes()).isEqualTo(2_000);
  }

  private static LedbatController withWindow(long cwndBytes) {
    return LedbatControllers.withWindow(cwndBytes, MSS, BASE, RTT);
  }
}
