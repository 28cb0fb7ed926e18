package ebb.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadinessTest {
  @Test
  void equalWindowsAreSteady() {
    assertThat(Steadiness.isSteady(100, 100, 100, 100, 100)).isTrue();
  }

  @Test
  void aWindowFarFromTheMeanIsNot() {
    // Mean 100; the values differ by 18 and by 22, without a trend.
    assertThat(Steadiness.isSteady(100, 109, 100, 91, 100)).isTrue();
    assertThat(Steadiness.isSteady(100, 111, 100, 89, 100)).isFalse();
  }

  @Test
  void aTrendIsNot() {
    // The fitted line through 96..104 rises by 8% of its mean, that through 94..106 by 12%.
    assertThat(Steadiness.isSteady(96, 98, 100, 102, 104)).isTrue();
    assertThat(Steadiness.isSteady(94, 97, 100, 103, 106)).isFalse();
  }

  @Test
  void nothingIsNot() {
    assertThat(Steadiness.isSteady(0, 0, 0, 0, 0)).isFalse();
    assertThat(Steadiness.isSteady(Double.NaN, 1, 1, 1, 1)).isFalse();
  }
}
