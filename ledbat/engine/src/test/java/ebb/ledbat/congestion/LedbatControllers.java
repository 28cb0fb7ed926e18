package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

/** Controllers in a known state, for tests. */
final class LedbatControllers {
  private LedbatControllers() {}

  /**
   * A controller at time 0 that has this window, a whole number of segments from 2 up, and one
   * sample of the base delay.
   */
  static LedbatController withWindow(
      long cwndBytes, int mssBytes, long baseDelayMicros, long rttMicros) {
    LedbatController controller = new LedbatController(LedbatParameters.recommended(), mssBytes);
    controller.onDelaySample(baseDelayMicros, rttMicros, 0);
    for (long segments = 2; segments * mssBytes < cwndBytes; segments++) {
      // No queue and a whole window acknowledged: one segment more, whatever the window is.
      long window = controller.cwndBytes();
      controller.onAck(window, window, rttMicros, 0);
    }
    assertThat(controller.cwndBytes()).isEqualTo(cwndBytes);
    return controller;
  }
}
