package ebb.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Scenario;
import ebb.testkit.scenario.TcpFlowSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The queue discipline against RFC 8289's control law and what it promises. */
class CodelTest {
  private static final long SECOND = 1_000_000;
  private static final long STEP_MICROS = 1_200;

  private long nowMicros;
  private long sojournMicros = 50_000;
  private long behindBytes = 30_000;
  private final List<Long> dropsMicros = new ArrayList<>();
  private final Codel<Long> codel =
      new Codel<>(
          CodelSpec.DEFAULTS,
          1_500,
          () -> nowMicros - sojournMicros,
          arrived -> arrived,
          () -> behindBytes,
          dropped -> dropsMicros.add(nowMicros));

  private void runUntil(long micros) {
    for (; nowMicros < micros; nowMicros += STEP_MICROS) {
      assertThat(codel.dequeue(nowMicros)).isNotNull();
    }
  }

  @Test
  void dropsComeEverFasterWhileTheQueueStands() {
    runUntil(SECOND);
    // The first after an interval above TARGET, then after INTERVAL / sqrt(count).
    double expected = 100_800;
    assertThat(dropsMicros.get(0)).isEqualTo(100_800);
    for (int count = 1; count < dropsMicros.size(); count++) {
      expected += 100_000 / Math.sqrt(count);
      assertThat((double) dropsMicros.get(count))
          .as("drop %d", count)
          .isBetween(expected - count, expected + STEP_MICROS);
    }
    // 100.8 ms + 100 ms * (1 + 1/sqrt(2) + ... + 1/sqrt(n)) stays below 1 s up to n = 26.
    assertThat(dropsMicros).hasSize(27);
  }

  @Test
  void aQueueThatIsSometimesShortIsLeftAlone() {
    for (int i = 0; i < 50; i++) {
      sojournMicros = 50_000;
      runUntil(nowMicros + 90_000);
      sojournMicros = 4_999;
      runUntil(nowMicros + STEP_MICROS);
    }
    assertThat(dropsMicros).isEmpty();
  }

  @Test
  void aQueueOfOnePacketIsLeftAloneHoweverLongItWaits() {
    behindBytes = 1_500;
    runUntil(10 * SECOND);
    assertThat(dropsMicros).isEmpty();
  }

  @Test
  void aQueueThatComesBackSoonIsDroppedAtTheRateThatHelpedBefore() {
    runUntil(SECOND);
    sojournMicros = 1_000;
    runUntil(nowMicros + 10 * STEP_MICROS);
    int before = dropsMicros.size();
    sojournMicros = 50_000;
    runUntil(2 * SECOND);
    List<Long> later = dropsMicros.subList(before, dropsMicros.size());
    // count begins at 27 - 1 of the episode before: drops are 20 ms apart at once, not 100.
    double gapMicros = 100_000 / Math.sqrt(26);
    assertThat((double) (later.get(1) - later.get(0)))
        .isBetween(gapMicros - 1, gapMicros + STEP_MICROS);
  }

  @Test
  void impossibleParametersAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodelSpec(5_000, 4_999))
        .withMessage("CoDel needs 0 < target <= interval: 5000, 4999");
  }

  @Test
  void longFlowsKeepTheLinkBusyWithAShortQueue() {
    // RFC 8289, 1: "good queue" passes, a queue that stands is brought to TARGET, 5 ms. A
    // drop-tail buffer of 300 ms stands between half and full.
    for (boolean codel : new boolean[] {false, true}) {
      LinkSpec spec = LinkSpec.of(10_000_000, 25_000, LinkSpec.bytesIn(300_000, 10_000_000));
      Scenario scenario =
          new Scenario(
              1,
              codel ? spec.withQueue(CodelSpec.DEFAULTS) : spec,
              LinkSpec.of(10_000_000, 25_000, Long.MAX_VALUE));
      for (int flow = 0; flow < 4; flow++) {
        scenario.add(TcpFlowSpec.reno("reno " + flow).startingAt(flow * SECOND));
      }
      scenario.runUntil(120 * SECOND);
      Link link = scenario.bottleneck();
      double median = Checks.queueMicros(link, 50, 20 * SECOND, 120 * SECOND);
      assertThat(Checks.utilisation(link, 20 * SECOND, 120 * SECOND)).isGreaterThan(0.9);
      if (codel) {
        assertThat(median).isLessThan(10_000);
      } else {
        assertThat(median).isBetween(150_000.0, 300_000.0);
      }
    }
  }

  @Test
  void sparsePacketsPassAnEmptyQueueAfterABusyOne() {
    Scenario scenario =
        new Scenario(
            1,
            LinkSpec.of(1_000_000, 5_000, 1_000_000).withQueue(CodelSpec.DEFAULTS),
            LinkSpec.delayOnly(5_000));
    scenario.add(TcpFlowSpec.reno("first").during(0, 5 * SECOND));
    scenario.runUntil(10 * SECOND);
    long drops = scenario.bottleneck().stats().droppedTotal();
    assertThat(drops).isPositive();
    assertThat(scenario.bottleneck().queuedBytes()).isZero();
    TcpFlowSpec late = TcpFlowSpec.reno("late").during(20 * SECOND, 20 * SECOND + 1_000);
    scenario.add(late);
    scenario.runUntil(30 * SECOND);
    assertThat(scenario.bottleneck().stats().droppedTotal()).isEqualTo(drops);
  }
}
