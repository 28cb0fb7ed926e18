package ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class StudentTTest {
  @Test
  void oneAndTwoDegreesHaveClosedForms() {
    for (double confidence : new double[] {0.001, 0.5, 0.9, 0.95, 0.99, 0.999}) {
      double p = (1 + confidence) / 2;
      assertThat(StudentT.twoSided(confidence, 1))
          .as("%s", confidence)
          .isCloseTo(Math.tan(Math.PI * (p - 0.5)), within(1e-9 * 1_000));
      assertThat(StudentT.twoSided(confidence, 2))
          .as("%s", confidence)
          .isCloseTo((2 * p - 1) * Math.sqrt(2 / (4 * p * (1 - p))), within(1e-9));
    }
  }

  @Test
  void agreesWithThePrintedTable() {
    // The usual three-digit table of two-sided 95% and 99% points.
    double[][] table = {
      {3, 3.182, 5.841},
      {5, 2.571, 4.032},
      {10, 2.228, 3.169},
      {30, 2.042, 2.750},
      {120, 1.980, 2.617}
    };
    for (double[] row : table) {
      assertThat(StudentT.twoSided(0.95, row[0])).isCloseTo(row[1], within(0.0005));
      assertThat(StudentT.twoSided(0.99, row[0])).isCloseTo(row[2], within(0.0005));
    }
  }

  @Test
  void becomesTheNormalDistribution() {
    assertThat(StudentT.twoSided(0.95, 1e8)).isCloseTo(1.959964, within(1e-5));
    assertThat(StudentT.twoSided(0.99, 1e8)).isCloseTo(2.575829, within(1e-5));
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.twoSided(1, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.twoSided(0.95, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.twoSided(0.95, Double.NaN));
  }
}
