package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import org.junit.jupiter.api.Test;

/** The model against the curve and the constants of RFC 9438. */
class CubicModelTest {
  private static final long SECOND = 1_000_000;

  /** A window of {@code segments} that has just lost, round trips of 100 ms from then on. */
  private static CubicModel afterLossAt(int segments) {
    CubicModel cubic = new CubicModel(segments);
    cubic.onLoss(segments, 0);
    return cubic;
  }

  private static void acknowledgeWindows(CubicModel cubic, long fromMicros, long toMicros) {
    for (long now = fromMicros; now < toMicros; now += 100_000) {
      int segments = (int) cubic.cwndSegments();
      for (int i = 0; i < segments; i++) {
        cubic.onAck(1, 100_000, now + i * 100_000L / segments);
      }
    }
  }

  @Test
  void aLossLeavesSevenTenths() {
    assertThat(afterLossAt(1_000).cwndSegments()).isCloseTo(700, within(1e-9));
  }

  @Test
  void theWindowFollowsTheCubicBackToItsPlateauAtK() {
    CubicModel cubic = afterLossAt(1_000);
    // RFC 9438, 4.2: K = cbrt(1000 * 0.3 / 0.4) = 9.086 s.
    double k = Math.cbrt(1_000 * 0.3 / 0.4);
    acknowledgeWindows(cubic, 0, 4_500_000);
    assertThat(cubic.cwndSegments()).isCloseTo(1_000 + 0.4 * Math.pow(4.5 - k, 3), within(8.0));
    acknowledgeWindows(cubic, 4_500_000, 9_100_000);
    assertThat(cubic.cwndSegments()).isCloseTo(1_000, within(2.0));
    acknowledgeWindows(cubic, 9_100_000, 15_000_000);
    assertThat(cubic.cwndSegments()).isCloseTo(1_000 + 0.4 * Math.pow(15 - k, 3), within(8.0));
  }

  @Test
  void aLossBelowTheOldPlateauMakesRoom() {
    CubicModel cubic = afterLossAt(1_000);
    cubic.onLoss(700, 1_000);
    // RFC 9438, 4.7: W_max = 700 * (1 + 0.7) / 2 = 595; K = cbrt((595 - 490) / 0.4) = 6.40 s.
    double k = Math.cbrt((595 - 490) / 0.4);
    acknowledgeWindows(cubic, 1_000, (long) (k * 1e6));
    assertThat(cubic.cwndSegments()).isCloseTo(595, within(3.0));
  }

  @Test
  void inSmallWindowsItGrowsAsFastAsRenoWould() {
    CubicModel cubic = afterLossAt(20);
    // RFC 9438, 4.3: alpha = 3 * 0.3 / 1.7 = 0.529 segments a round trip up to the window before
    // the loss; K = cbrt(20 * 0.3 / 0.4) = 2.47 s is later than that line.
    for (long now = 0; now < 1_000_000; now += 20_000) {
      int segments = (int) cubic.cwndSegments();
      for (int i = 0; i < segments; i++) {
        cubic.onAck(1, 20_000, now + i * 20_000L / segments);
      }
      if (now == 180_000) {
        assertThat(cubic.cwndSegments()).isCloseTo(14 + 10 * 0.529, within(0.8));
      }
    }
    assertThat(cubic.cwndSegments()).isGreaterThan(40);
  }

  @Test
  void itFillsALinkWhoseBufferHoldsThreeTenthsOfThePipe() {
    // beta = 0.7: the pipe stays full after a loss if pipe <= 0.7 (pipe + buffer).
    Scenario scenario = Scenario.onLink(1, 50_000_000, 100_000, 45_000);
    TcpModelFlow flow = scenario.add(TcpFlowSpec.cubic("cubic"));
    scenario.runUntil(120 * SECOND);
    assertThat(Checks.utilisation(scenario.bottleneck(), 40 * SECOND, 120 * SECOND))
        .isGreaterThan(0.99);
    assertThat(flow.tcp().recoveries()).isGreaterThan(2);
  }
}
