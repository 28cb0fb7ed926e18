package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.testkit.host.HostClock;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import org.junit.jupiter.api.Test;

class DeterminismTest {
  private static String digest(long seed) {
    LinkSpec bad =
        LinkSpec.of(10_000_000, 25_000, 100_000)
            .withLoss(new LossSpec.Burst(0.002, 0.3, 0.001, 0.7))
            .withReordering(0.02, 10_000)
            .withDuplication(0.02)
            .withJitter(2_000);
    Scenario scenario = new Scenario(seed, bad, bad).withSendJitter(500);
    scenario.add(LedbatFlowSpec.named("a"));
    scenario.add(
        LedbatFlowSpec.named("b").withClocks(new HostClock(-77, 150), new HostClock(99, -30)));
    scenario.add(TcpFlowSpec.reno("c").startingAt(3_000_000));
    scenario.add(TcpFlowSpec.cubic("d").during(5_000_000, 9_000_000));
    scenario.runUntil(15_000_000);
    assertThat(scenario.sim().trace().events()).isGreaterThan(10_000);
    return scenario.sim().trace().digest();
  }

  @Test
  void theSameSeedGivesTheSameTraceBitForBit() {
    assertThat(digest(42)).isEqualTo(digest(42)).hasSize(64);
  }

  @Test
  void anotherSeedGivesAnotherTrace() {
    assertThat(digest(42)).isNotEqualTo(digest(43));
  }
}
