package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a scavenger takes for a rival's on a path that it does not know yet. */
class ScavengerNewcomerTest {
  private static final int MSS = 1_432;
  private static final long BASE_RTT_MICROS = 45_000;

  /** A tooth, as a late host and its own ramp made it on a real link of 10 Mbit/s. */
  private static final long[] TOOTH_MICROS = {
    6_000, 0, 0, 0, 0, 0, 0, 0, 0, 2_500, 3_500, 5_500, 6_000
  };

  private final CongestionController controller =
      new ScavengerController(LedbatParameters.recommended(), MSS);
  private long nowMicros = 1_000_000;

  /** A round trip in which so much waits. */
  private void round(long queueMicros) {
    long rttMicros = BASE_RTT_MICROS + queueMicros;
    long packets = controller.cwndBytes() / MSS;
    for (long i = 0; i < packets; i++) {
      nowMicros += rttMicros / packets;
      controller.onRttSample(rttMicros, nowMicros);
      controller.onDelaySample(BASE_RTT_MICROS / 2 + queueMicros, rttMicros, nowMicros);
      controller.onAck(MSS, packets * MSS, rttMicros, nowMicros);
    }
  }

  private void tooth() {
    for (long queueMicros : TOOTH_MICROS) {
      round(queueMicros);
    }
  }

  private void rampUntilAQueueShows() {
    while (controller.cwndBytes() < 40 * MSS) {
      round(0);
    }
    round(4_000);
    assertThat(controller.state()).isEqualTo("steering");
  }

  @Test
  void aToothBeforeItsFirstStopMayBeOfItsOwnRamp() {
    rampUntilAQueueShows();

    tooth();

    assertThat(controller.state()).isEqualTo("steering");
  }

  @Test
  void aToothAfterItsFirstStopIsOfWhoWasThereBefore() {
    rampUntilAQueueShows();
    while (!controller.state().equals("draining")) {
      round(4_000);
    }
    round(0);
    assertThat(controller.state()).isEqualTo("steering");

    tooth();

    assertThat(controller.state()).isEqualTo("yielding");
    assertThat(controller.stateTrigger()).isEqualTo("saw");
  }
}
