package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The window arithmetic of RFC 6817, 2.4.2, in exact bytes (MSS 1446, TARGET 100 ms). */
class LedbatWindowTest {
  private static final int MSS = 1_446;
  private static final long RTT = 50_000;
  private static final long BASE = 20_000;

  @Test
  void r7_belowTargetTheWindowGrowsInProportionToTheDistance() {
    // 8676 + 0.6 * 2892 * 1446 / 8676 = 8676 + 289.2
    assertThat(after(8_676, 8_676, 40_000)).isEqualTo(8_965);
  }

  @Test
  void r7_aboveTargetTheWindowShrinksInProportionToTheDistance() {
    // 8676 - 0.2 * 482 = 8579.6
    assertThat(after(8_676, 8_676, 120_000)).isEqualTo(8_579);
  }

  @Test
  void r8_theWindowIsAtMostTheFlightPlusOneSegment() {
    assertThat(after(8_676, 7_230, 40_000)).isEqualTo(7_230 + 1_446);
  }

  @Test
  void r8_theWindowIsAtLeastTwoSegments() {
    assertThat(after(2_892, 2_892, 120_000)).isEqualTo(2_892);
  }

  private static long after(long cwndBytes, long flightBytes, long queuingDelayMicros) {
    LedbatController controller = withWindow(cwndBytes);
    long now = 10 * RTT;
    controller.onDelaySample(BASE + queuingDelayMicros, RTT, now);
    controller.onAck(2 * MSS, flightBytes, RTT, now);
    assertThat(controller.queuingDelayMicros()).isEqualTo(queuingDelayMicros);
    return controller.cwndBytes();
  }

  /** A controller that knows base delay {@link #BASE} and has this window, which is 2..6 MSS. */
  private static LedbatController withWindow(long cwndBytes) {
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), MSS);
    controller.onDelaySample(BASE, RTT, 0);
    // off_target is 1: acked = cwnd adds one segment.
    while (controller.cwndBytes() < cwndBytes) {
      controller.onAck(controller.cwndBytes(), controller.cwndBytes(), RTT, 0);
    }
    assertThat(controller.cwndBytes()).isEqualTo(cwndBytes);
    return controller;
  }
}
