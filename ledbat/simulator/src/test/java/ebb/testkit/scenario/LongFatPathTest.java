package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.SendLimit;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * 250 ms at 100 Mbit/s: 2,100 packets in flight, and with the buffer full twice that, more than a
 * selective ack can tell of.
 */
class LongFatPathTest {
  private static final long SECOND = 1_000_000;

  private static void assertFilledWithinTwentySeconds(String controller, long bufferMicros) {
    Scenario scenario = Scenario.onLink(1, 100_000_000, 250_000, bufferMicros);
    LedbatConfig config =
        LedbatFlowSpec.fullSizeConfig().toBuilder().controller(controller).slowStart(true).build();
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("flow").with(config));
    scenario.runUntil(22 * SECOND);
    assertThat(flow.goodput().bitsPerSecond(20 * SECOND, 22 * SECOND))
        .as("%s, buffer %d us", controller, bufferMicros)
        .isGreaterThan(90e6);
    assertThat(Objects.requireNonNull(flow.stats()).packetsRetransmitted())
        .as("only what was lost is sent again")
        .isEqualTo(scenario.bottleneck().stats().droppedTotal());
    assertThat(flow.stats().timeouts()).isZero();
    // But for the recovery of what slow start overshot, when a lost packet holds up both of them.
    LimitTimes limits = flow.limits();
    assertThat(limits.share(SendLimit.PEER_WINDOW) + limits.share(SendLimit.SEND_BUFFER))
        .as("the default buffers are large enough; limited by %s", limits)
        .isLessThan(0.05);
  }

  @Test
  void ledbatFillsIt() {
    assertFilledWithinTwentySeconds("ledbat", 200_000);
  }

  @Test
  void ledbatPlusPlusFillsIt() {
    assertFilledWithinTwentySeconds("ledbat++", 200_000);
  }

  @Test
  void dtlFillsItByDelayAndByLoss() {
    assertFilledWithinTwentySeconds("dtl:0", 200_000);
    assertFilledWithinTwentySeconds("dtl:4", 100_000);
  }
}
