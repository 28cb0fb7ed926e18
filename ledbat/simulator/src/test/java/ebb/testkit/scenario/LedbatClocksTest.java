package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.host.HostClock;
import ebb.testkit.link.Link;
import org.junit.jupiter.api.Test;

/** RFC 6817, appendix A: clocks differ by a constant, and drift apart. */
class LedbatClocksTest {
  private static final long SECOND = 1_000_000;
  private static final long WRAP = 1L << 32;

  private static Scenario run(HostClock sender, HostClock receiver, long untilMicros) {
    Scenario scenario = Scenario.onLink(1, 10_000_000, 50_000, 300_000);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat").withClocks(sender, receiver));
    scenario.runUntil(untilMicros);
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
    return scenario;
  }

  private static void assertSteadyAtTarget(Scenario scenario, String why) {
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 20 * SECOND, 60 * SECOND)).as(why).isGreaterThan(0.99);
    assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 60 * SECOND))
        .as(why)
        .isCloseTo(100_000, within(5_000.0));
    assertThat(Checks.queueMicros(link, 100, 20 * SECOND, 60 * SECOND)).as(why).isLessThan(110_000);
  }

  @Test
  void aConstantOffsetCancels() {
    // 26,200 us is the one-way delay of an empty path: the difference is then 0 on the wire.
    long[] offsets = {-3_600 * SECOND, -100_000, -26_200, 26_200, 100_000, 86_400 * SECOND};
    for (long offset : offsets) {
      assertSteadyAtTarget(
          run(HostClock.EXACT, new HostClock(offset, 0), 60 * SECOND), "receiver " + offset);
      assertSteadyAtTarget(
          run(new HostClock(offset, 0), HostClock.EXACT, 60 * SECOND), "sender " + offset);
    }
  }

  @Test
  void timestampsThatWrapWhileDataFlowsCancel() {
    // Either clock passes 2^32 us at 30 s; or the difference itself passes 0 or 2^31 as the queue
    // grows.
    HostClock wrapsAt30s = new HostClock(WRAP - 30 * SECOND, 0);
    assertSteadyAtTarget(run(wrapsAt30s, HostClock.EXACT, 60 * SECOND), "sender wraps");
    assertSteadyAtTarget(run(HostClock.EXACT, wrapsAt30s, 60 * SECOND), "receiver wraps");
    for (long difference : new long[] {0, WRAP / 2}) {
      HostClock receiver = new HostClock(difference - 80_000, 0);
      assertSteadyAtTarget(
          run(HostClock.EXACT, receiver, 60 * SECOND), "difference passes " + difference);
    }
  }

  @Test
  void driftMovesTheQueueByWhatItAddsToTheDelayAndCostsNoThroughput() {
    // 200 ppm are 12 ms a minute. After three minutes the base delay of the first is 36 ms off,
    // and the queue that LEDBAT takes for TARGET is 36 ms smaller or larger.
    for (long ppm : new long[] {-200, 200}) {
      Scenario scenario = run(HostClock.EXACT, new HostClock(0, ppm), 180 * SECOND);
      Link link = scenario.bottleneck();
      assertThat(Checks.utilisation(link, 20 * SECOND, 180 * SECOND)).isGreaterThan(0.99);
      double expectedMicros = 100_000 - 175 * ppm;
      assertThat(Checks.queueMicros(link, 50, 170 * SECOND, 180 * SECOND))
          .as("drift %d ppm", ppm)
          .isCloseTo(expectedMicros, within(5_000.0));
    }
  }

  @Test
  void driftOfBothClocksCancels() {
    HostClock fast = new HostClock(0, 200);
    assertSteadyAtTarget(run(fast, fast, 60 * SECOND), "both drift");
  }
}
