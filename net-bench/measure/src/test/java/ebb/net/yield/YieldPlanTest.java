package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class YieldPlanTest {
  private static final long SECOND = 1_000_000;

  private static YieldPlan plan(
      YieldPlan.First first, long tcpAlone, long alone, long lead, long both, long after) {
    return new YieldPlan(
        Yielder.LEDBAT_SENDER, "ledbat", "cubic", first, tcpAlone, alone, lead, both, after);
  }

  @Test
  void aSecondIsTheShortestPhase() {
    assertThat(plan(YieldPlan.First.LEDBAT, SECOND, SECOND, 0, SECOND, SECOND)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(YieldPlan.First.LEDBAT, SECOND, SECOND - 1, 0, SECOND, SECOND))
        .withMessageContaining("--alone");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(YieldPlan.First.LEDBAT, SECOND, SECOND, 0, 0, SECOND))
        .withMessageContaining("--contended");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(YieldPlan.First.LEDBAT, SECOND, SECOND, 0, SECOND, 0))
        .withMessageContaining("--after");
  }

  @Test
  void tcpAloneMustReachTheAgeAtWhichItIsCompared() {
    assertThat(plan(YieldPlan.First.TCP, 6 * SECOND, SECOND, 5 * SECOND, SECOND, SECOND))
        .isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> plan(YieldPlan.First.TCP, 6 * SECOND - 1, SECOND, 5 * SECOND, SECOND, SECOND))
        .withMessageContaining("--tcp-alone");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(YieldPlan.First.TCP, 6 * SECOND, SECOND, 0, SECOND, SECOND))
        .withMessageContaining("--lead");
  }

  @Test
  void anHourIsTheLongestRun() {
    assertThat(plan(YieldPlan.First.LEDBAT, 3_597 * SECOND, SECOND, 0, SECOND, SECOND)).isNotNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(YieldPlan.First.LEDBAT, 3_598 * SECOND, SECOND, 0, SECOND, SECOND))
        .withMessageContaining("hour");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> plan(YieldPlan.First.LEDBAT, Long.MAX_VALUE, SECOND, 0, Long.MAX_VALUE, SECOND));
  }

  @Test
  void aDownloadIsThatOfTheReceiverAndTheServersKernel() {
    YieldPlan up =
        new YieldPlan(
            Yielder.LEDBAT_SENDER,
            "scavenger",
            "cubic",
            YieldPlan.First.TCP,
            9_000_000,
            2_000_000,
            3_000_000,
            4_000_000,
            5_000_000);
    YieldPlan down = up.by(Yielder.TCP_RECEIVER);
    assertThat(up.download()).isFalse();
    assertThat(down.download()).isTrue();
    assertThat(down.tcp()).isEqualTo("default");
    assertThat(down.controller()).isEqualTo("receiver");
    YieldPlan ledbat = up.by(Yielder.LEDBAT_RECEIVER);
    assertThat(ledbat.download()).isTrue();
    assertThat(ledbat.tcp()).isEqualTo("default");
    assertThat(ledbat.controller()).isEqualTo("scavenger");
    assertThat(down.leadMicros()).isEqualTo(3_000_000);
    assertThat(down.afterMicros()).isEqualTo(5_000_000);
  }
}
