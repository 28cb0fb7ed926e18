package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The real engine over links on which packets overtake others: 4 MB at 17 Mbit/s, 43 ms each way.
 */
class ReorderingTest {
  private static final long SECOND = 1_000_000;
  private static final long BYTES = 4_000_000;
  private static final LinkSpec LINK = LinkSpec.of(17_000_000, 43_000, 300_000);
  private static final int SEEDS = 4;

  /** How long the transfers of all seeds take together. */
  private static double seconds(String controller, LinkSpec link) {
    double sum = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Scenario scenario = new Scenario(seed, link, LINK);
      LedbatFlow flow =
          scenario.add(
              LedbatFlowSpec.named("flow")
                  .with(LedbatFlowSpec.fullSizeConfig().toBuilder().slowStart(true).build())
                  .withController(controller)
                  .withBytes(BYTES));
      long now = 0;
      while (flow.sink().received() < BYTES) {
        now += SECOND / 50;
        assertThat(now).isLessThan(300 * SECOND);
        scenario.runUntil(now);
      }
      sum += now / 1e6;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"ledbat, 3", "ledbat++, 3", "dtl:0, 3", "scavenger, 3", "ledbat, 10", "ledbat++, 10"})
  void packetsThatComeLateCostNearlyNothing(String controller, int overtakers) {
    double inOrder = seconds(controller, LINK);
    double late = seconds(controller, LINK.withOvertaking(0.01, overtakers, 100_000));
    // Half as much again is what one halving at the end of slow start costs at most.
    assertThat(late).isLessThan(1.5 * inOrder);
  }

  @ParameterizedTest
  @CsvSource({"ledbat", "ledbat++", "dtl:0"})
  void besideLossesLatePacketsCostNearlyNothing(String controller) {
    LinkSpec lossy = LINK.withLoss(new LossSpec.Random(0.007));
    double inOrder = seconds(controller, lossy);
    double late = seconds(controller, lossy.withOvertaking(0.01, 3, 100_000));
    // Taken for losses they would make 1.7% of 0.7%: sqrt(1.7 / 0.7) = 1.56 times as long.
    assertThat(late).isLessThan(1.25 * inOrder);
  }
}
