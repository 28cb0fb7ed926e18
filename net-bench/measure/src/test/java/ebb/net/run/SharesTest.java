package ebb.net.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void partsAreInProportion() {
    assertThat(Shares.of(100, new double[] {1, 3})).containsExactly(25, 75);
    assertThat(Shares.of(100, new double[] {0, 2, 0})).containsExactly(0, 100, 0);
  }

  @Test
  void whereNothingIsKnownAllHaveTheSame() {
    assertThat(Shares.of(9, new double[] {0, 0, 0})).containsExactly(3, 3, 3);
    assertThat(Shares.of(0, new double[] {1, 2})).containsExactly(0, 0);
  }

  @Test
  void theSumIsAlwaysTheTotal() {
    Random random = new Random(4);
    for (int trial = 0; trial < 1_000; trial++) {
      double[] weights = random.doubles(1 + random.nextInt(300), 0, 1e9).toArray();
      long total = random.nextLong(1L << 40);
      long[] parts = Shares.of(total, weights);
      assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
      assertThat(Arrays.stream(parts).min().orElseThrow()).isNotNegative();
    }
  }
}
