package ebb.testkit.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import ebb.testkit.scenario.TcpModelFlow;
import org.junit.jupiter.api.Test;

/** Applications that do not always have more, and pacing. */
class TcpSourceTest {
  private static final long SECOND = 1_000_000;

  private final Scenario scenario =
      Scenario.onLink(1, 10_000_000, 50_000, 100_000).withSendJitter(1_200);

  private TcpModelFlow run(TcpFlow.Options options, long untilMicros) {
    TcpModelFlow flow = scenario.add(TcpFlowSpec.cubic("tcp").with(options));
    scenario.runUntil(untilMicros);
    return flow;
  }

  @Test
  void aConstantSourceSendsItsRateAndLeavesNoQueue() {
    run(TcpFlow.Options.DEFAULTS.withSource(new TcpSource.Constant(2_000_000)), 60 * SECOND);
    assertThat(Checks.utilisation(scenario.bottleneck(), 10 * SECOND, 60 * SECOND))
        .isCloseTo(0.2, within(0.001));
    assertThat(Checks.queueMicros(scenario.bottleneck(), 95, 10 * SECOND, 60 * SECOND))
        .isLessThan(5_000);
  }

  @Test
  void turnsOfOnAndOffAreSeenOnTheLink() {
    TcpModelFlow flow =
        run(
            TcpFlow.Options.DEFAULTS.withSource(new TcpSource.OnOff(3 * SECOND, 2 * SECOND)),
            60 * SECOND);
    for (long begin = 0; begin < 60 * SECOND; begin += 5 * SECOND) {
      // What was in flight and in the buffer has left 300 ms after the source stopped.
      assertThat(flow.goodput().bitsPerSecond(begin + 3_300_000, begin + 5 * SECOND)).isZero();
      assertThat(flow.goodput().bitsPerSecond(begin + SECOND, begin + 3 * SECOND))
          .isGreaterThan(8e6);
    }
  }

  @Test
  void afterAPauseTheWindowBeginsAgain() {
    // RFC 5681, 4.1: the first round trip after a pause carries an initial window of ten.
    TcpModelFlow flow =
        run(
            TcpFlow.Options.DEFAULTS.withSource(new TcpSource.OnOff(3 * SECOND, 2 * SECOND)),
            5 * SECOND + 40_000);
    assertThat(flow.tcp().window().cwndSegments()).isEqualTo(10);
  }

  @Test
  void pagesComeAndGo() {
    TcpModelFlow flow =
        run(TcpFlow.Options.DEFAULTS.withSource(new TcpSource.Web(100_000, 500_000)), 600 * SECOND);
    // An object in about 0.8 s, pause included: some 1 to 2 Mbit/s with so long a tail.
    double rate = flow.goodput().bitsPerSecond(0, 600 * SECOND);
    assertThat(rate).isBetween(0.4e6, 3e6);
    assertThat(flow.goodput().longestGapMicros(0, 600 * SECOND)).isGreaterThan(SECOND);
  }

  @Test
  void pacingKeepsTheQueueOfARoundTripShort() {
    // Ten segments at once stand in a queue of nine packets; paced they do not.
    long[] highest = new long[2];
    for (int i = 0; i < 2; i++) {
      Scenario idle = Scenario.onLink(1, 10_000_000, 50_000, 100_000);
      TcpFlow.Options options =
          TcpFlow.Options.DEFAULTS
              .withPacing(i == 1)
              .withSource(new TcpSource.OnOff(60_000, 500_000));
      idle.add(TcpFlowSpec.cubic("tcp").with(options));
      idle.runUntil(5 * SECOND);
      highest[i] = (long) Checks.queueMicros(idle.bottleneck(), 100, SECOND, 5 * SECOND);
    }
    assertThat(highest[0]).isBetween(9_000L, 20_000L);
    assertThat(highest[1]).isLessThan(highest[0] / 2);
  }

  @Test
  void impossibleSourcesAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TcpSource.Constant(999));
    assertThatIllegalArgumentException().isThrownBy(() -> new TcpSource.OnOff(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new TcpSource.Web(1, 0));
  }
}
