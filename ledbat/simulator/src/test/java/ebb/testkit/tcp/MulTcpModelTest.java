package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import org.junit.jupiter.api.Test;

/** The model against what follows from MulTCP's definition. */
class MulTcpModelTest {
  private static final long SECOND = 1_000_000;

  @Test
  void withAWeightOfOneItIsReno() {
    String[] digests = new String[2];
    for (int i = 0; i < 2; i++) {
      Scenario scenario = Scenario.onLink(1, 10_000_000, 50_000, 50_000).withSendJitter(1_200);
      scenario.add(i == 0 ? TcpFlowSpec.reno("flow") : TcpFlowSpec.mulTcp("flow", 1));
      scenario.runUntil(60 * SECOND);
      assertThat(scenario.bottleneck().stats().droppedTotal()).isPositive();
      digests[i] = scenario.sim().trace().digest();
    }
    assertThat(digests[0]).isEqualTo(digests[1]);
  }

  @Test
  void underPeriodicLossItIsAsFastAsItsIncreaseAndDecreaseSay() {
    // Additive increase a and a decrease by the part b give a mean window of
    // sqrt(a (2 - b) / (2 b p)) segments. With a = N and b = 1 / (2N): sqrt((2 N^2 - N / 2) / p),
    // which is sqrt(3/2) / sqrt(p) for N = 1, as Mathis et al. have it and RenoModelTest shows.
    for (double weight : new double[] {2, 4}) {
      long rttMicros = 50_000;
      LinkSpec wide =
          LinkSpec.of(1_000_000_000, rttMicros / 2, Long.MAX_VALUE)
              .withLoss(new LossSpec.Periodic(2_000));
      Scenario scenario = new Scenario(1, wide, LinkSpec.delayOnly(rttMicros / 2));
      TcpModelFlow flow = scenario.add(TcpFlowSpec.mulTcp("flow", weight));
      long from = 20 * SECOND;
      long to = 220 * SECOND;
      scenario.runUntil(to);
      double segments =
          scenario.bottleneck().stats().transmitted(flow.number()).sum(from, to) / 1_500;
      double window = segments * rttMicros / (to - from);
      double expected = Math.sqrt((2 * weight * weight - weight / 2) * 2_000);
      assertThat(window / expected).as("N = %s", weight).isCloseTo(1, within(0.1));
    }
  }

  @Test
  void c16_againstOneRenoItTakesAboutNOfNPlusOne() {
    assertThat(shareAgainstReno(2)).isBetween(0.67 - 0.05, 0.78 + 0.05);
    assertThat(shareAgainstReno(4)).isBetween(0.80 - 0.05, 0.92 + 0.05);
  }

  private static double shareAgainstReno(double weight) {
    double sum = 0;
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario = Scenario.onLink(seed, 10_000_000, 50_000, 100_000).withSendJitter(1_200);
      TcpModelFlow flow = scenario.add(TcpFlowSpec.mulTcp("multcp", weight));
      scenario.add(TcpFlowSpec.reno("reno").startingAt(SECOND));
      scenario.runUntil(230 * SECOND);
      double share = Checks.share(scenario.bottleneck(), flow, 30 * SECOND, 230 * SECOND);
      sum += share;
    }
    return sum / 3;
  }

  @Test
  void lessThanOneFlowIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MulTcpModel(0.5))
        .withMessage("weight must be at least 1: 0.5");
  }
}
