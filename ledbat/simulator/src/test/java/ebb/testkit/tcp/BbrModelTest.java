package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.link.Link;
import ebb.testkit.link.LinkSpec;
import ebb.testkit.link.LossSpec;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The model against what the draft says of its steady state. */
class BbrModelTest {
  private static final long SECOND = 1_000_000;
  private static final long RATE = 10_000_000;
  private static final long RTT = 50_000;

  /** One flow from 0 s on, with a buffer of so many products of rate and round trip. */
  private static Scenario scenario(double buffer, LossSpec loss) {
    long bytes = (long) (LinkSpec.bytesIn(RTT, RATE) * buffer);
    return new Scenario(
        1,
        LinkSpec.of(RATE, RTT / 2, bytes).withLoss(loss),
        LinkSpec.of(RATE, RTT / 2, Long.MAX_VALUE));
  }

  private static BbrModel model(TcpModelFlow flow) {
    return (BbrModel) flow.tcp().window();
  }

  @Test
  void aloneItFillsTheLinkAndItsQueueStaysEmptyMostOfTheTime() {
    Scenario scenario = scenario(1, LossSpec.NONE);
    TcpModelFlow flow = scenario.add(TcpFlowSpec.bbr("bbr"));
    scenario.runUntil(60 * SECOND);
    Link link = scenario.bottleneck();
    assertThat(Checks.utilisation(link, 10 * SECOND, 60 * SECOND)).isGreaterThan(0.95);
    // It probes with 1.25 of the rate in one of eight round trips, and drains in the next.
    assertThat(Checks.queueMicros(link, 50, 10 * SECOND, 60 * SECOND)).isLessThan(RTT / 10.0);
    assertThat(Checks.queueMicros(link, 99, 10 * SECOND, 60 * SECOND))
        .isBetween(0.1 * RTT, 0.5 * RTT);
    assertThat(link.stats().droppedTotal()).isLessThan(100); // its start only
    assertThat(model(flow).rate() * 1_500 * 8).isCloseTo(RATE, within(RATE * 0.02));
    assertThat(model(flow).minRttMicros()).isBetween(RTT, RTT + 2_500);
  }

  @Test
  void itPassesThroughItsStatesAndLooksForTheRoundTripEveryTenSeconds() {
    Scenario scenario = scenario(2, LossSpec.NONE);
    TcpModelFlow flow = scenario.add(TcpFlowSpec.bbr("bbr"));
    Set<BbrModel.State> early = EnumSet.noneOf(BbrModel.State.class);
    int[] probing = new int[1];
    scenario.observe(
        10_000,
        now -> {
          BbrModel.State state = model(flow).state();
          if (now < 2 * SECOND) {
            early.add(state);
          }
          if (state == BbrModel.State.PROBE_RTT) {
            probing[0]++;
          }
        });
    scenario.runUntil(42 * SECOND);
    assertThat(early)
        .containsExactlyInAnyOrder(
            BbrModel.State.STARTUP, BbrModel.State.DRAIN, BbrModel.State.PROBE_BW);
    // Three or four times at least 200 ms and a round trip; between them nothing.
    assertThat(probing[0]).isBetween(3 * 20, 4 * 35);
  }

  @Test
  void afterItsLookForTheRoundTripItKnowsTheRateThatItHad() {
    // 200 ms are as many rounds as its memory of rates has, where a round trip takes 20.
    LinkSpec link = LinkSpec.of(RATE, 10_000, LinkSpec.bytesIn(40_000, RATE));
    Scenario scenario = new Scenario(1, link, LinkSpec.of(RATE, 10_000, Long.MAX_VALUE));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.bbr("bbr"));
    List<Double> rates = new ArrayList<>();
    BbrModel.State[] before = {BbrModel.State.STARTUP};
    scenario.observe(
        5_000,
        now -> {
          BbrModel model = model(flow);
          if (before[0] == BbrModel.State.PROBE_RTT && model.state() != before[0]) {
            rates.add(model.rate() * 1_500 * 8 / RATE);
          }
          before[0] = model.state();
        });
    scenario.runUntil(42 * SECOND);
    assertThat(rates).hasSizeBetween(3, 4).allMatch(rate -> rate > 0.95);
  }

  @Test
  void fiveInAHundredLostPacketsTakeLittleOfItsRate() {
    Scenario scenario = scenario(1, new LossSpec.Random(0.05));
    TcpModelFlow flow = scenario.add(TcpFlowSpec.bbr("bbr"));
    scenario.runUntil(40 * SECOND);
    double rate = flow.goodput().bitsPerSecond(10 * SECOND, 40 * SECOND);
    assertThat(rate / RATE).isGreaterThan(0.8);
  }

  @Test
  void besideCubicItTakesMostOfAShortBufferAndLittleOfALongOne() {
    // Ware et al., "Modeling BBR's Interactions with Loss-Based Congestion Control", 2019.
    double[] shares = new double[2];
    double[] buffers = {0.5, 12};
    for (int i = 0; i < 2; i++) {
      Scenario scenario = scenario(buffers[i], LossSpec.NONE);
      TcpModelFlow bbr = scenario.add(TcpFlowSpec.bbr("bbr"));
      scenario.withSendJitter(1_200).add(TcpFlowSpec.cubic("cubic"));
      scenario.runUntil(100 * SECOND);
      shares[i] = Checks.share(scenario.bottleneck(), bbr, 40 * SECOND, 100 * SECOND);
    }
    assertThat(shares[0]).isGreaterThan(0.6);
    assertThat(shares[1]).isLessThan(0.5);
  }
}
