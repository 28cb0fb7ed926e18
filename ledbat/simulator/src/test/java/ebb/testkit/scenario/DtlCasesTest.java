package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.Link;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The real engine with a weight, and with controllers that change while data flows: 10 Mbit/s, base
 * round trip 50 ms, IP packets of 1,500 bytes, drop-tail.
 */
class DtlCasesTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE = 10_000_000;
  private static final long BASE_RTT_MICROS = 50_000;

  /** One packet's time on the link: see {@link Scenario#withSendJitter}. */
  private static final long PACKET_MICROS = 1_200;

  private static Scenario link(long seed, long bufferMicros) {
    return Scenario.onLink(seed, RATE, BASE_RTT_MICROS, bufferMicros);
  }

  private static LedbatFlowSpec dtl(double weight) {
    return LedbatFlowSpec.named("dtl").withController("dtl:" + weight);
  }

  @Test
  void weightZeroAloneFillsTheLinkWithoutMoreQueueThanTarget() {
    Scenario scenario = link(1, 300_000);
    scenario.add(dtl(0));
    scenario.runUntil(120 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 20 * SECOND, 120 * SECOND)).isGreaterThan(0.97);
    assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 120 * SECOND)).isLessThan(105_000);
  }

  @Test
  void twoOfWeightZeroMakeNoMoreQueueThanTarget() {
    // The first must let the queue empty once, or the second takes it for the path's delay: 112 ms.
    Scenario scenario = link(1, 300_000);
    scenario.add(dtl(0));
    scenario.add(dtl(0).startingAt(8 * SECOND));
    scenario.runUntil(60 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 40 * SECOND, 60 * SECOND)).isGreaterThan(0.97);
    assertThat(Checks.queueMicros(link, 50, 40 * SECOND, 60 * SECOND)).isLessThan(105_000);
  }

  @Test
  void weightZeroYieldsToRenoInABufferLargerThanTarget() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow flow = scenario.add(dtl(0));
    scenario.add(TcpFlowSpec.reno("reno").startingAt(10 * SECOND));
    scenario.runUntil(130 * SECOND);
    double share = Checks.share(scenario.bottleneck(), flow, 30 * SECOND, 130 * SECOND);
    // The floor is two packets in a round trip of up to 350 ms.
    assertThat(share).isLessThanOrEqualTo(0.02);
  }

  @Test
  void c16_weightNTakesWhatNTcpConnectionsWould() {
    assertThat(shareAgainstReno(2)).isBetween(0.67 - 0.05, 0.78 + 0.05);
  }

  @Test
  @Tag("long")
  void c16_soDoOtherWeights() {
    assertThat(shareAgainstReno(1)).isCloseTo(0.5, within(0.08));
    assertThat(shareAgainstReno(4)).isBetween(0.80 - 0.05, 0.92 + 0.05);
  }

  private static double shareAgainstReno(double weight) {
    double sum = 0;
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario = link(seed, 100_000).withSendJitter(PACKET_MICROS);
      LedbatFlow flow = scenario.add(dtl(weight));
      scenario.add(TcpFlowSpec.reno("reno").startingAt(SECOND));
      scenario.runUntil(230 * SECOND);
      double share = Checks.share(scenario.bottleneck(), flow, 30 * SECOND, 230 * SECOND);
      sum += share;
    }
    return sum / 3;
  }

  @Test
  void theWeightChangesTheShareWhileDataFlows() {
    Scenario scenario = link(1, 200_000).withSendJitter(PACKET_MICROS);
    LedbatFlow flow = scenario.add(dtl(0));
    scenario.add(TcpFlowSpec.reno("reno"));
    flow.switchController(60 * SECOND, "dtl:4");
    flow.switchController(160 * SECOND, "dtl:1");
    flow.switchController(320 * SECOND, "dtl:0");
    scenario.runUntil(380 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.share(link, flow, 20 * SECOND, 60 * SECOND)).isLessThan(0.03);
    assertThat(Checks.share(link, flow, 80 * SECOND, 160 * SECOND)).isBetween(0.75, 0.97);
    assertThat(Checks.share(link, flow, 220 * SECOND, 320 * SECOND)).isCloseTo(0.5, within(0.15));
    assertThat(Checks.share(link, flow, 340 * SECOND, 380 * SECOND)).isLessThan(0.03);
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
  }

  @Test
  void anotherControllerGoesOnFromTheSameWindowAndKnowsThePath() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("flow"));
    scenario.runUntil(60 * SECOND - 1);
    double before = flow.cwndBytes();
    flow.switchController(60 * SECOND, "ledbat++");
    scenario.runUntil(60 * SECOND + 1);
    assertThat(flow.cwndBytes()).isCloseTo(before, within(1_500.0));
    assertThat(Objects.requireNonNull(flow.stats()).targetDelayMicros()).isEqualTo(60_000);
    // 100 ms of queue are 40 too much for it, which it knows at once: LEDBAT's samples told it the
    // base. Without them it would find 100 ms of queue, and more, to be the empty path.
    scenario.runUntil(160 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.queueMicros(link, 50, 62 * SECOND, 160 * SECOND))
        .isCloseTo(60_000, within(3_000.0));
    flow.switchController(160 * SECOND, "ledbat");
    scenario.runUntil(260 * SECOND);
    assertThat(Checks.queueMicros(link, 50, 180 * SECOND, 260 * SECOND))
        .isCloseTo(100_000, within(5_000.0));
    assertThat(link.stats().droppedTotal()).isZero();
    assertThat(Checks.utilisation(link, 20 * SECOND, 260 * SECOND)).isGreaterThan(0.95);
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
  }
}
