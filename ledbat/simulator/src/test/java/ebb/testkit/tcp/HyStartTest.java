package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import org.junit.jupiter.api.Test;

/** Rounds and thresholds of RFC 9406, and what they are for. */
class HyStartTest {
  private final HyStart hyStart = new HyStart();
  private long delivered;

  /** A round of so many acknowledgements with one round trip. Whether slow start ended in it. */
  private boolean round(int acknowledgements, long rttMicros) {
    long begin = delivered;
    boolean ended = false;
    for (int i = 0; i < acknowledgements; i++) {
      delivered++;
      ended |=
          hyStart.leaves(
              new TcpDelivery(0, rttMicros, delivered, begin, 1, 0, 10, 0, false, false));
    }
    return ended;
  }

  @Test
  void aRoundTripThatStaysLetsSlowStartGoOn() {
    for (int i = 0; i < 20; i++) {
      assertThat(round(10, 50_000 + 100 * i)).isFalse();
    }
    assertThat(hyStart.growth()).isEqualTo(1);
  }

  @Test
  void anEighthMoreMakesItGentleAndFiveSuchRoundsEndIt() {
    round(10, 50_000);
    round(10, 50_000);
    round(10, 56_249);
    assertThat(hyStart.growth()).isEqualTo(1);
    round(10, 63_280);
    assertThat(hyStart.growth()).isEqualTo(0.25);
    for (int i = 0; i < 4; i++) {
      assertThat(round(10, 63_300)).isFalse();
    }
    assertThat(round(10, 63_300)).isTrue();
  }

  @Test
  void aRiseThatPassesLetsItGoOn() {
    round(10, 50_000);
    round(10, 50_000);
    round(10, 60_000);
    assertThat(hyStart.growth()).isEqualTo(0.25);
    round(10, 51_000);
    assertThat(hyStart.growth()).isEqualTo(1);
  }

  @Test
  void fewerThanEightSamplesSayNothing() {
    round(10, 50_000);
    round(10, 50_000);
    round(7, 90_000);
    assertThat(hyStart.growth()).isEqualTo(1);
  }

  @Test
  void itLosesFarFewerPacketsAtItsStartThanOneWithout() {
    long[] drops = new long[2];
    for (int i = 0; i < 2; i++) {
      Scenario scenario = Scenario.onLink(1, 50_000_000, 40_000, 100_000);
      TcpFlowSpec spec = i == 0 ? TcpFlowSpec.cubic("tcp") : TcpFlowSpec.pacedCubic("tcp");
      TcpModelFlow flow = scenario.add(spec);
      scenario.runUntil(3_000_000);
      drops[i] = scenario.bottleneck().stats().dropped(flow.number());
    }
    assertThat(drops[0]).isGreaterThan(200);
    assertThat(drops[1]).isLessThan(drops[0] / 4);
  }
}
