package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossTestTest {
  private static final long NOW = 10_000_000;

  private final LossTest test = new LossTest();

  private void begin(double share) {
    QueueEstimate queue = new QueueEstimate();
    queue.onRtt(50_000, NOW);
    queue.onRtt(60_000, NOW);
    test.begin(share, 1_000_000, 50_000, queue, NOW);
  }

  @Test
  void aTestTakesASecondAfterWhatWasSentBeforeHasSettledAndIsNotRepeatedAtOnce() {
    assertThat(test.isDue(NOW)).isTrue();
    begin(0.05);
    assertThat(test.isOver(NOW + 1_239_999)).isFalse();
    assertThat(test.isOver(NOW + 1_240_000)).isTrue();
    assertThat(test.isDue(NOW + 5_000_000)).isFalse();
    assertThat(test.isDue(NOW + 5_000_001)).isTrue();
  }

  @Test
  void lossesThatGoOnWithLessSentAreThePaths() {
    begin(0.02);
    test.onRound(100, 1);
    assertThat(test.isRandom(0)).isTrue();
  }

  @Test
  void lossesThatStopAreCongestion() {
    begin(0.02);
    test.onRound(1_000, 0);
    assertThat(test.isRandom(0)).isFalse();
    assertThat(test.isRandom(0.01)).as("the path is known to lose as much").isTrue();
  }

  @Test
  void aBurstDuringATestIsSomebodyElses() {
    begin(0.02);
    assertThat(test.onRound(100, 2)).isFalse();
    assertThat(test.onRound(20, 3)).isTrue();
  }
}
