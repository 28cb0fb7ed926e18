package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The model against what is published about TCP Reno. */
class RenoModelTest {
  private static final long SECOND = 1_000_000;
  private static final int SEGMENT_BITS = 1_500 * 8;

  /** Segments per round trip, times sqrt(p): the constant C of Mathis, Semke, Mahdavi and Ott. */
  private static double mathisConstant(LossSpec loss, double p, TcpFlow.Options options) {
    long rttMicros = 50_000;
    LinkSpec wide = LinkSpec.of(1_000_000_000, rttMicros / 2, Long.MAX_VALUE).withLoss(loss);
    Scenario scenario = new Scenario(1, wide, LinkSpec.delayOnly(rttMicros / 2));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.reno("reno").with(options));
    long from = 20 * SECOND;
    long to = 420 * SECOND;
    scenario.runUntil(to);
    double segments = scenario.bottleneck().stats().transmitted(flow.number()).sum(from, to) / 1500;
    double roundTrips = (to - from) / (double) rttMicros;
    return segments / roundTrips * Math.sqrt(p);
  }

  @Test
  void throughputUnderPeriodicLossIsRootThreeHalvesOverRootP() {
    // "The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm", 1997, table 1:
    // periodic losses, an acknowledgement for every packet: C = sqrt(3/2) = 1.22.
    double c = mathisConstant(new LossSpec.Periodic(1_000), 0.001, TcpFlow.Options.DEFAULTS);
    assertThat(c).isCloseTo(1.22, within(0.10));
  }

  @Test
  void throughputUnderRandomLossIsWithinTheTablesConstant() {
    // The same table: random losses, an acknowledgement for every packet: C = 1.31.
    double c = mathisConstant(new LossSpec.Random(0.001), 0.001, TcpFlow.Options.DEFAULTS);
    assertThat(c).isCloseTo(1.31, within(0.13));
  }

  @Test
  void delayedAcknowledgementsCostTheTablesShare() {
    // The same table: periodic losses, delayed acknowledgements: C = sqrt(3/4) = 0.87.
    double c =
        mathisConstant(
            new LossSpec.Periodic(1_000), 0.001, TcpFlow.Options.DEFAULTS.withDelayedAcks(true));
    assertThat(c).isCloseTo(0.87, within(0.09));
  }

  @Test
  void aBufferOfOneBandwidthDelayProductKeepsTheLinkFullOverTheSawtooth() {
    // 10 Mbit/s and 120 ms: a product of 100 packets, and as many in the buffer.
    Scenario scenario = Scenario.onLink(1, 10_000_000, 120_000, 120_000);
    TcpModelFlow flow = scenario.add(TcpFlowSpec.reno("reno"));
    List<Double> windows = new ArrayList<>();
    scenario.observe(10_000, now -> windows.add(flow.cwndBytes() / 1_500));
    scenario.runUntil(200 * SECOND);
    List<Double> steady = windows.subList(10_000, 20_000);
    double highest = steady.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double lowest = steady.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    // Pipe and buffer hold 200 packets and the one being sent; the loss is found a round trip,
    // that is two packets, later.
    assertThat(highest).isBetween(200.0, 204.0);
    assertThat(lowest).isCloseTo(highest / 2, within(2.0));
    assertThat(Checks.utilisation(scenario.bottleneck(), 100 * SECOND, 200 * SECOND))
        .isGreaterThan(0.995);
    assertThat(flow.tcp().timeouts()).isLessThanOrEqualTo(2);
  }

  @Test
  void aBufferOfATenthOfThePipeLosesWhatTheSawtoothLeavesEmpty() {
    // The window moves between 55 and 110 packets on a pipe of 100. Below 100 it uses cwnd/100 of
    // the link: (77.5 * 45 + 100 * 10) / 5,500 = 0.82.
    Scenario scenario = Scenario.onLink(1, 10_000_000, 120_000, 12_000).withSendJitter(1_200);
    scenario.add(TcpFlowSpec.reno("reno"));
    scenario.runUntil(300 * SECOND);
    assertThat(Checks.utilisation(scenario.bottleneck(), 50 * SECOND, 300 * SECOND))
        .isCloseTo(0.82, within(0.04));
  }

  @Test
  void twoFlowsOfEqualRoundTripShareEqually() {
    double sum = 0;
    for (long seed = 1; seed <= 3; seed++) {
      Scenario scenario = Scenario.onLink(seed, 10_000_000, 50_000, 100_000).withSendJitter(1_200);
      TcpModelFlow first = scenario.add(TcpFlowSpec.reno("first"));
      scenario.add(TcpFlowSpec.reno("second").startingAt(5 * SECOND));
      scenario.runUntil(300 * SECOND);
      double share = Checks.share(scenario.bottleneck(), first, 50 * SECOND, 300 * SECOND);
      assertThat(share).isCloseTo(0.5, within(0.08));
      sum += share;
    }
    assertThat(sum / 3).isCloseTo(0.5, within(0.05));
  }

  @Test
  void slowStartDoublesTheWindowEachRoundTrip() {
    Scenario scenario = new Scenario(1, LinkSpec.delayOnly(50_000), LinkSpec.delayOnly(50_000));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.reno("reno"));
    for (int round = 0; round < 6; round++) {
      scenario.runUntil(round * 100_000L + 50_000);
      assertThat(flow.cwndBytes() / 1_500).isEqualTo(10 << round);
    }
  }

  @Test
  void aDeadPathIsRetriedWithDoublingTimeouts() {
    Scenario scenario =
        new Scenario(
            1,
            LinkSpec.delayOnly(50_000).withLoss(new LossSpec.Random(1)),
            LinkSpec.delayOnly(50_000));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.reno("reno"));
    scenario.runUntil(16 * SECOND);
    // RFC 6298: at 1, 3, 7 and 15 s; ten segments of the first flight and one each time.
    assertThat(flow.tcp().timeouts()).isEqualTo(4);
    assertThat(flow.tcp().segmentsSent()).isEqualTo(14);
    assertThat(flow.cwndBytes()).isEqualTo(1_500);
  }

  @Test
  void everySegmentIsDeliveredOnceUnderLossAndReordering() {
    LinkSpec bad =
        LinkSpec.of(10_000_000, 25_000, 100_000)
            .withLoss(new LossSpec.Burst(0.005, 0.3, 0, 0.8))
            .withReordering(0.01, 10_000)
            .withDuplication(0.01);
    Scenario scenario =
        new Scenario(1, bad, LinkSpec.delayOnly(25_000).withLoss(new LossSpec.Random(0.05)));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.reno("reno").during(0, 60 * SECOND));
    scenario.runUntil(300 * SECOND);
    long segments = flow.tcp().segmentsSent() - flow.tcp().segmentsResent();
    assertThat(flow.goodput().total()).isEqualTo(segments * (1_500 - 52));
    assertThat(segments * (double) SEGMENT_BITS / 60).isGreaterThan(500_000);
  }
}
