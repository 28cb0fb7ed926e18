package ebb.ledbat.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScavengerPathTest {
  private static final int MSS_BYTES = 1_250;

  private final ScavengerPath path = new ScavengerPath(30_000, MSS_BYTES);
  private long nowMicros = 1_000_000;

  /** This queue stands for a second. */
  private void stands(long baseRttMicros, long queueMicros) {
    for (int i = 0; i < 100; i++) {
      nowMicros += 10_000;
      path.onRtt(baseRttMicros + queueMicros, nowMicros);
      path.onDelay(baseRttMicros / 2 + queueMicros, false, false, false, nowMicros);
    }
  }

  @Test
  void farAwayAQueueIsAPartOfTheLongestOfAMinuteOrTwo() {
    stands(100_000, 0);
    stands(100_000, 40_000);
    assertThat(path.partOfLongest()).isEqualTo(1);
    stands(100_000, 10_000);
    assertThat(path.partOfLongest()).isEqualTo(0.25);
    for (int i = 0; i < 130; i++) {
      stands(100_000, 20_000);
    }
    assertThat(path.partOfLongest()).as("the longest is forgotten").isEqualTo(1);
  }

  @Test
  void nearTheLongestQueueTellsNothing() {
    stands(20_000, 0);
    stands(20_000, 40_000);
    stands(20_000, 10_000);
    assertThat(path.partOfLongest()).isEqualTo(1);
  }

  /** Who came second takes its own part for the link, of which a packet seems to take long. */
  @Test
  void fiftyMillisecondsAreManyPacketsWhateverTheLinkSeemsToCarry() {
    path.rate.restartAt(MSS_BYTES / 0.030);
    stands(100_000, 0);
    stands(100_000, 45_000);
    assertThat(path.holdsMany()).isFalse();
    stands(100_000, 55_000);
    assertThat(path.holdsMany()).isTrue();
  }
}
