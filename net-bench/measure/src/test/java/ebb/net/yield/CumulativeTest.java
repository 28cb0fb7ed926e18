package ebb.net.yield;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CumulativeTest {
  private static Cumulative of(long... timesAndCounts) {
    Cumulative made = new Cumulative();
    for (int i = 0; i < timesAndCounts.length; i += 2) {
      made.add(timesAndCounts[i], timesAndCounts[i + 1]);
    }
    return made;
  }

  @Test
  void growsEvenlyBetweenSamples() {
    Cumulative count = of(1_000, 100, 3_000, 300, 4_000, 300);
    assertThat(count.at(1_000)).isEqualTo(100);
    assertThat(count.at(2_000)).isEqualTo(200);
    assertThat(count.at(3_500)).isEqualTo(300);
    assertThat(count.grown(1_500, 2_500)).isEqualTo(100);
  }

  @Test
  void isZeroBeforeTheFirstAndStaysAfterTheLast() {
    Cumulative count = of(1_000, 100, 2_000, 200);
    assertThat(count.at(999)).isZero();
    assertThat(count.at(9_000)).isEqualTo(200);
    assertThat(of().at(5)).isZero();
  }

  @Test
  void leavesOutSamplesThatRunBackwards() {
    Cumulative count = of(1_000, 100, 900, 150, 1_000, 150, 1_100, 90, 2_000, 200);
    assertThat(count.size()).isEqualTo(2);
    assertThat(count.at(1_500)).isEqualTo(150);
  }

  @Test
  void ratesAreBitsASecond() {
    Cumulative count = of(0, 0, 1_000_000, 1_250_000);
    assertThat(count.bitsPerSecond(0, 1_000_000)).isEqualTo(10e6);
    assertThat(count.bitsPerSecond(500_000, 500_000)).isNaN();
  }

  @Test
  void holdsAsManyAsThereAre() {
    Cumulative count = new Cumulative();
    for (int i = 0; i < 5_000; i++) {
      count.add(i, 2L * i);
    }
    assertThat(count.size()).isEqualTo(5_000);
    assertThat(count.at(4_321)).isEqualTo(8_642);
  }
}
