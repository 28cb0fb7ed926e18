package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Replacing the controller of a connection that runs. */
class SwitchableControllerTest {
  private static final int MSS = 1_000;
  private static final long RTT = 50_000;
  private static final long BASE = -7_000_000;
  private static final long MINUTE = 60_000_000;

  private static SwitchableController controller(String name) {
    LedbatParameters slowStarting = new LedbatParameters(100_000, 1, 1, 2, 2, 10, 4, true);
    return new SwitchableController(CongestionControllers.byName(name), slowStarting, 0, MSS);
  }

  /** A window acknowledged, with this queue. */
  private static void round(SwitchableController controller, long queueMicros, long nowMicros) {
    long window = controller.cwndBytes();
    controller.onRttSample(RTT + queueMicros, nowMicros);
    controller.onDelaySample(BASE + queueMicros, RTT + queueMicros, nowMicros);
    controller.onAck(window, window, RTT + queueMicros, nowMicros);
  }

  @Test
  void everyControllerGoesOnFromTheWindowOfEveryOther() {
    for (String from : CongestionControllers.names()) {
      for (String to : CongestionControllers.names()) {
        SwitchableController controller = controller(from);
        for (int i = 0; i < 10; i++) {
          round(controller, 0, i * RTT);
        }
        long window = controller.cwndBytes();
        assertThat(window).as(from).isGreaterThan(4 * MSS);
        controller.switchTo(CongestionControllers.byName(to), 10 * RTT);
        assertThat(controller.name()).isEqualTo(to);
        assertThat(controller.cwndBytes()).as("%s to %s", from, to).isEqualTo(window);
      }
    }
  }

  @Test
  void aControllerOfTheCallersOwnTakesTheWindowTheSegmentSizeAndAChosenTarget() {
    SwitchableController controller = controller("ledbat");
    for (int i = 0; i < 10; i++) {
      round(controller, 0, i * RTT);
    }
    controller.setMssBytes(2 * MSS);
    controller.setTargetDelayMicros(25_000);
    long window = controller.cwndBytes();
    controller.switchTo(
        ControllerFactory.of("own", "of the caller's", 60_000, LedbatPlusPlusController::new),
        10 * RTT);
    assertThat(controller.name()).isEqualTo("ledbat++");
    assertThat(controller.cwndBytes()).isEqualTo(window);
    assertThat(controller.targetDelayMicros()).isEqualTo(25_000);
    controller.onCongestionTimeout(11 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(2 * MSS);
  }

  @Test
  void theNextOneDoesNotSlowStart() {
    SwitchableController controller = controller("ledbat++");
    for (int i = 0; i < 20; i++) {
      round(controller, 0, i * RTT);
    }
    long window = controller.cwndBytes();
    controller.switchTo(CongestionControllers.byName("ledbat"), 20 * RTT);
    round(controller, 0, 20 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(window + MSS);
  }

  @Test
  void theNextOneKnowsTheBaseDelayOfTheLastMinutesAndForgetsItInTime() {
    SwitchableController controller = controller("ledbat");
    round(controller, 0, 0);
    for (int minute = 1; minute <= 8; minute++) {
      round(controller, 30_000 + minute, minute * MINUTE);
    }
    controller.switchTo(CongestionControllers.byName("ledbat++"), 8 * MINUTE + RTT);
    assertThat(controller.baseDelayMicros()).isEqualTo(RTT);
    controller.switchTo(CongestionControllers.byName("dtl"), 8 * MINUTE + 2 * RTT);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE);
    round(controller, 40_000, 9 * MINUTE);
    assertThat(controller.queuingDelayMicros()).isEqualTo(40_000);
    // BASE_HISTORY is ten minutes: at minute ten the first is forgotten, not ten after the switch.
    round(controller, 40_000, 10 * MINUTE);
    assertThat(controller.baseDelayMicros()).isEqualTo(BASE + 30_001);
  }

  @Test
  void targetIsTheControllersOwnUnlessOneWasChosen() {
    SwitchableController controller = controller("ledbat");
    assertThat(controller.targetDelayMicros()).isEqualTo(100_000);
    controller.switchTo(CongestionControllers.byName("ledbat++"), 0);
    assertThat(controller.targetDelayMicros()).isEqualTo(60_000);
    controller.setTargetDelayMicros(25_000);
    controller.switchTo(CongestionControllers.byName("ledbat"), 0);
    assertThat(controller.targetDelayMicros()).isEqualTo(25_000);
    SwitchableController chosen =
        new SwitchableController(
            CongestionControllers.byName("ledbat"), LedbatParameters.recommended(), 100_000, MSS);
    chosen.switchTo(CongestionControllers.byName("ledbat++"), 0);
    assertThat(chosen.targetDelayMicros()).isEqualTo(100_000);
  }

  @Test
  void beforeTheFirstPacketTheInitialWindowOfTheNextOneCounts() {
    SwitchableController controller = controller("ledbat");
    controller.setMssBytes(1_200);
    controller.switchTo(CongestionControllers.byName("dtl:3"), 0);
    assertThat(controller.cwndBytes()).isEqualTo(2 * 1_200);
  }

  @Test
  void anotherWeightKeepsTheControllerAndANameAloneMeansItsOwnWeight() {
    SwitchableController controller = controller("dtl:4");
    for (int i = 0; i < 4; i++) {
      round(controller, 0, i * RTT);
    }
    controller.switchTo(CongestionControllers.byName("dtl:8"), 4 * RTT);
    long window = controller.cwndBytes();
    round(controller, 0, 4 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(window + 8 * MSS);
    controller.switchTo(CongestionControllers.byName("dtl"), 5 * RTT);
    window = controller.cwndBytes();
    round(controller, 0, 5 * RTT);
    assertThat(controller.cwndBytes()).isEqualTo(window + MSS);
  }
}
