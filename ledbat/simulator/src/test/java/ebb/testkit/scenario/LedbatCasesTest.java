package ebb.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.Link;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.sim.Schedule;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The real engine against numeric cases that follow from RFC 6817: 10 Mbit/s, base round trip 50
 * ms, IP packets of 1,500 bytes, drop-tail.
 */
class LedbatCasesTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE = 10_000_000;
  private static final long BASE_RTT_MICROS = 50_000;

  /** One packet's time on the link: see {@link Scenario#withSendJitter}. */
  private static final long PACKET_MICROS = 1_200;

  private static Scenario link(long seed, long bufferMicros) {
    return Scenario.onLink(seed, RATE, BASE_RTT_MICROS, bufferMicros);
  }

  @Test
  void aloneItFillsTheLinkAndKeepsTheQueueAtTarget() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow flow = scenario.add(LedbatFlowSpec.named("ledbat"));
    scenario.runUntil(120 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 20 * SECOND, 120 * SECOND)).isGreaterThan(0.99);
    assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 120 * SECOND))
        .isCloseTo(100_000, within(5_000.0));
    assertThat(link.stats().droppedTotal()).isZero();
    assertThat(flow.sink().firstDifference()).isEqualTo(-1);
  }

  @Test
  void aSmallerTargetIsKeptAsWell() {
    Scenario scenario = link(1, 300_000);
    scenario.add(LedbatFlowSpec.named("ledbat").withTarget(25_000));
    scenario.runUntil(120 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 20 * SECOND, 120 * SECOND)).isGreaterThan(0.99);
    assertThat(Checks.queueMicros(link, 50, 20 * SECOND, 120 * SECOND))
        .isCloseTo(25_000, within(2_000.0));
  }

  @Test
  void aLatecomerTakesTheLinkAsRfc6817Does() {
    Scenario scenario = link(1, 400_000);
    scenario.add(LedbatFlowSpec.named("first"));
    LedbatFlow second = scenario.add(LedbatFlowSpec.named("second").startingAt(20 * SECOND));
    scenario.runUntil(200 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.share(link, second, 100 * SECOND, 200 * SECOND)).isGreaterThan(0.95);
    assertThat(Checks.queueMicros(link, 50, 100 * SECOND, 200 * SECOND))
        .isCloseTo(185_000, within(15_000.0));
  }

  @Test
  void twoThatStartTogetherShareEqually() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow first = scenario.add(LedbatFlowSpec.named("first"));
    LedbatFlow second = scenario.add(LedbatFlowSpec.named("second").startingAt(3_000));
    scenario.runUntil(200 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.share(link, first, 50 * SECOND, 200 * SECOND)).isCloseTo(0.5, within(0.02));
    assertThat(Checks.jainIndex(link, List.of(first, second), 50 * SECOND, 200 * SECOND))
        .isGreaterThan(0.998);
  }

  @Test
  void itYieldsToRenoInABufferLargerThanTarget() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow ledbat = scenario.add(LedbatFlowSpec.named("ledbat"));
    scenario.add(TcpFlowSpec.reno("reno").startingAt(10 * SECOND));
    scenario.runUntil(130 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.share(link, ledbat, 30 * SECOND, 130 * SECOND)).isLessThanOrEqualTo(0.02);
    assertThat(Checks.utilisation(link, 30 * SECOND, 130 * SECOND)).isGreaterThan(0.99);
  }

  @Test
  void itComesBackWhenRenoLeaves() {
    Scenario scenario = link(1, 300_000);
    LedbatFlow ledbat = scenario.add(LedbatFlowSpec.named("ledbat"));
    scenario.add(TcpFlowSpec.reno("reno").during(20 * SECOND, 40 * SECOND));
    scenario.runUntil(60 * SECOND);
    // From 2 packets to the 42 of the pipe at one a round trip: 2 s; Reno's queue of up to 300 ms
    // and the last repairs come before, and growth slows down towards TARGET.
    long recovery =
        Checks.recoveryMicros(
            scenario.bottleneck(), ledbat, 0.9, 500_000, 40 * SECOND, 60 * SECOND);
    assertThat(recovery).isBetween(1_000_000L, 5_000_000L);
  }

  @Test
  void inABufferSmallerThanTargetItIsAsAggressiveAsReno() {
    double sum = 0;
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario = link(seed, 50_000).withSendJitter(PACKET_MICROS);
      LedbatFlow ledbat = scenario.add(LedbatFlowSpec.named("ledbat"));
      scenario.add(TcpFlowSpec.reno("reno"));
      scenario.runUntil(300 * SECOND);
      sum += Checks.share(scenario.bottleneck(), ledbat, 100 * SECOND, 300 * SECOND);
    }
    assertThat(sum / 3).isCloseTo(0.5, within(0.07));
  }

  @Test
  void theShorterRoundTripHasTheLargerShare() {
    LinkSpec forward = LinkSpec.of(RATE, 5_000, 375_000);
    LinkSpec backward = LinkSpec.of(RATE, 5_000, Long.MAX_VALUE);
    Scenario scenario = new Scenario(1, forward, backward).withSendJitter(PACKET_MICROS);
    LedbatFlow near = scenario.add(LedbatFlowSpec.named("20 ms").withAccessDelay(5_000));
    scenario.add(LedbatFlowSpec.named("80 ms").withAccessDelay(35_000));
    scenario.runUntil(300 * SECOND);
    assertThat(Checks.share(scenario.bottleneck(), near, 100 * SECOND, 300 * SECOND))
        .isCloseTo(0.78, within(0.08));
  }

  @Test
  void aLongerRouteIsTakenForQueueUntilTheHistoryForgets() {
    Scenario scenario = routeChange(60_000);
    scenario.runUntil(200 * SECOND);
    Link link = scenario.bottleneck();
    // 60 of the 100 ms that LEDBAT allows are propagation.
    assertThat(Checks.queueMicros(link, 50, 80 * SECOND, 200 * SECOND))
        .isCloseTo(40_000, within(5_000.0));
    assertThat(Checks.utilisation(link, 80 * SECOND, 200 * SECOND)).isGreaterThan(0.99);
  }

  @Test
  void aRouteLongerByMoreThanTargetStarvesItUntilTheHistoryForgets() {
    Scenario scenario = routeChange(120_000);
    scenario.runUntil(760 * SECOND);
    Link link = scenario.bottleneck();
    // 20 ms above TARGET shrink the window by a fifth of a packet a round trip, so the 142 packets
    // that fill pipe and TARGET take about 700 round trips, 120 s, to become two. MIN_CWND is two
    // packets in 170 ms, 1.4% of 10 Mbit/s.
    assertThat(Checks.utilisation(link, 190 * SECOND, 590 * SECOND))
        .isCloseTo(2 * PACKET_MICROS / 170_000.0, within(0.002));
    // BASE_HISTORY is ten minutes: the first, with the old route, is forgotten at 600 s; then 142
    // packets at one a round trip are 24 s.
    assertThat(Checks.utilisation(link, 640 * SECOND, 760 * SECOND)).isGreaterThan(0.99);
  }

  private static Scenario routeChange(long longerByMicros) {
    Schedule<Long> delay = Schedule.always(25_000L).from(60 * SECOND, 25_000 + longerByMicros);
    Scenario scenario =
        new Scenario(
            1,
            LinkSpec.of(RATE, 0, 375_000).withDelay(delay),
            LinkSpec.of(RATE, 25_000, Long.MAX_VALUE));
    scenario.add(LedbatFlowSpec.named("ledbat"));
    return scenario;
  }
}
