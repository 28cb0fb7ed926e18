package ebb.ledbat.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.seeds.Seeds;
import org.junit.jupiter.api.Test;

/**
 * A million random steps against an endpoint, on virtual time. The oracle is {@link Script}'s,
 * {@link Rig}'s and {@link ModelPeer}'s. One seed: {@code -Debb.seed=...}.
 */
final class RandomPeerTest {
  private static final int STEPS = 1_000_000;
  private static final int STEPS_PER_SEED = 1_000;

  @Test
  void aMillionRandomStepsDeliverPrefixesWithinBoundsAndAlwaysEnd() {
    Long only = Seeds.only();
    if (only != null) {
      run(only);
      return;
    }
    long steps = 0;
    long datagrams = 0;
    for (long seed = 1; steps < STEPS; seed++) {
      Script script = run(seed);
      steps += script.steps();
      datagrams += script.rig().datagramsOut;
    }
    assertThat(datagrams).as("packets that Ebb sent").isGreaterThan(STEPS / 2);
  }

  private static Script run(long seed) {
    Script script = new Script(seed, Choices.ofSeed(seed, STEPS_PER_SEED));
    Seeds.run(RandomPeerTest.class, seed, ignored -> script.run());
    return script;
  }
}
