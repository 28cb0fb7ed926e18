package ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class SummaryTest {
  @Test
  void sumsUpByTheTextbook() {
    // Mean 5, squared deviations 9+1+1+1+0+0+4+16 = 32, over n - 1 = 7.
    Summary summary = Summary.of(9, 2, 4, 4, 5, 4, 5, 7);
    assertThat(summary.count()).isEqualTo(8);
    assertThat(summary.min()).isEqualTo(2);
    assertThat(summary.max()).isEqualTo(9);
    assertThat(summary.mean()).isEqualTo(5);
    assertThat(summary.variance()).isCloseTo(32.0 / 7, within(1e-12));
    assertThat(summary.stdDev()).isCloseTo(Math.sqrt(32.0 / 7), within(1e-12));
    assertThat(summary.median()).isEqualTo(4.5);
  }

  @Test
  void percentilesLieBetweenNeighbours() {
    // Ranks run from 0 to 3: 25% is rank 0.75, 90% is rank 2.7.
    Summary summary = Summary.of(40, 10, 30, 20);
    assertThat(summary.percentile(0)).isEqualTo(10);
    assertThat(summary.percentile(25)).isCloseTo(17.5, within(1e-12));
    assertThat(summary.percentile(90)).isCloseTo(37, within(1e-12));
    assertThat(summary.percentile(100)).isEqualTo(40);
  }

  @Test
  void oneSampleHasNoSpread() {
    Summary summary = Summary.of(3);
    assertThat(summary.mean()).isEqualTo(3);
    assertThat(summary.percentile(99)).isEqualTo(3);
    assertThat(summary.stdDev()).isNaN();
  }

  @Test
  void largeSamplesNeitherOverflowNorLoseTheirSpread() {
    assertThat(Summary.of(Double.MAX_VALUE, Double.MAX_VALUE).mean()).isEqualTo(Double.MAX_VALUE);
    // A sum of squares in one pass would lose the 1 beside the 1e9 squared.
    assertThat(Summary.of(1e9 - 1, 1e9, 1e9 + 1).variance()).isCloseTo(1, within(1e-9));
  }

  @Test
  void theSamplesAreCopied() {
    double[] samples = {3, 1, 2};
    Summary summary = Summary.of(samples);
    samples[0] = 100;
    assertThat(summary.max()).isEqualTo(3);
    assertThat(samples).containsExactly(100, 1, 2);
  }

  @Test
  void whatCannotBeSummedUpIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(Summary::of);
    assertThatIllegalArgumentException().isThrownBy(() -> Summary.of(1, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> Summary.of(Double.POSITIVE_INFINITY));
    assertThatIllegalArgumentException().isThrownBy(() -> Summary.of(1).percentile(100.1));
    assertThatIllegalArgumentException().isThrownBy(() -> Summary.of(1).percentile(Double.NaN));
  }
}
