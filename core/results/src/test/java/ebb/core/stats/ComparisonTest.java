package ebb.core.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import ebb.core.rand.SeededRandom;
import ebb.core.stats.Comparison.Verdict;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  /** Student's sleep data (1908): extra hours of sleep with two drugs. */
  private static final double[] DRUG_1 = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

  private static final double[] DRUG_2 = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

  @Test
  void welchsIntervalIsTheOneOfTheTextbook() {
    // R's documentation of t.test prints -3.3654832 to 0.2054832 (17.776 degrees of freedom) for
    // drug 1 less drug 2.
    Interval interval = Comparison.differenceOfMeans(Summary.of(DRUG_2), Summary.of(DRUG_1), 0.95);
    assertThat(interval.low()).isCloseTo(-3.3654832, within(5e-8));
    assertThat(interval.high()).isCloseTo(0.2054832, within(5e-8));
  }

  @Test
  void runsWithoutAnyVarianceDifferByExactlyTheirDifference() {
    Interval interval = Comparison.differenceOfMeans(Summary.of(2, 2), Summary.of(5, 5), 0.95);
    assertThat(interval.low()).isEqualTo(3);
    assertThat(interval.high()).isEqualTo(3);
  }

  @Test
  void aClearDifferenceIsClaimedWithItsSize() {
    double[] slow = {100, 103, 98, 101, 99, 102, 97, 100};
    double[] fast = {200, 206, 196, 202, 198, 204, 194, 200};
    Comparison up = Comparison.of(slow, fast, 0.95, new SeededRandom(1));
    assertThat(up.verdict()).isEqualTo(Verdict.HIGHER);
    assertThat(up.medianRatio()).isEqualTo(2);
    assertThat(up.medianRatioInterval().orElseThrow().contains(2)).isTrue();
    assertThat(up.meanDifference()).isCloseTo(100, within(1e-9));
    assertThat(Comparison.of(fast, slow, 0.95, new SeededRandom(1)).verdict())
        .isEqualTo(Verdict.LOWER);
  }

  @Test
  void aDifferenceIsSaidWithItsInterval() {
    double[] some = {100, 100, 100, 100, 100, 100};
    double[] more = {150, 150, 150, 150, 150, 150};
    assertThat(Comparison.of(some, more, 0.95, new SeededRandom(1)).words("faster", "slower"))
        .isEqualTo("faster by 50.0% [50.0% to 50.0%]");
    // A third less of 150 is 100.
    assertThat(Comparison.of(more, some, 0.95, new SeededRandom(1)).words("faster", "slower"))
        .isEqualTo("slower by 33.3% [33.3% to 33.3%]");
    assertThat(Comparison.of(some, some, 0.95, new SeededRandom(1)).words("faster", "slower"))
        .isEqualTo("not distinguishable");
  }

  @Test
  void equalRunsAreNotDistinguishable() {
    double[] runs = {100, 103, 98, 101, 99, 102, 97, 100};
    Comparison same = Comparison.of(runs, runs, 0.95, new SeededRandom(1));
    assertThat(same.verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
    assertThat(same.verdict()).hasToString("not distinguishable");
    assertThat(same.medianRatio()).isEqualTo(1);
    assertThat(same.medianRatioInterval().orElseThrow().contains(1)).isTrue();
  }

  @Test
  void oneWildRunDoesNotMakeADifference() {
    double[] calm = {100, 103, 98, 101, 99, 102, 97, 100};
    double[] wild = {100, 103, 98, 101, 99, 102, 97, 100_000};
    assertThat(Comparison.of(calm, wild, 0.95, new SeededRandom(1)).verdict())
        .isEqualTo(Verdict.NOT_DISTINGUISHABLE);
  }

  @Test
  void noDifferenceIsClaimedMoreOftenThanTheConfidenceAllows() {
    // 200 pairs of ten runs from one distribution: at 95% Welch errs about 10 times, and both
    // methods
    // together no more often. 23 is more than four standard deviations away.
    SeededRandom random = new SeededRandom(42);
    int claimed = 0;
    int welchMisses = 0;
    for (int i = 0; i < 200; i++) {
      double[] one = runs(random);
      double[] other = runs(random);
      Comparison comparison = Comparison.of(one, other, 0.95, random.split());
      claimed += comparison.verdict() == Verdict.NOT_DISTINGUISHABLE ? 0 : 1;
      welchMisses += comparison.meanDifferenceInterval().orElseThrow().contains(0) ? 0 : 1;
    }
    assertThat(claimed).isLessThan(23);
    assertThat(welchMisses).isBetween(1, 23);
  }

  /** Ten values around 100, nearly normal: each the sum of twelve uniform ones. */
  private static double[] runs(SeededRandom random) {
    double[] runs = new double[10];
    for (int i = 0; i < runs.length; i++) {
      double sum = 0;
      for (int j = 0; j < 12; j++) {
        sum += random.nextDouble();
      }
      runs[i] = 100 + 5 * (sum - 6);
    }
    return runs;
  }

  @Test
  void theSameSeedGivesTheSameInterval() {
    double[] one = {1, 2, 3, 4, 5, 6, 7};
    double[] other = {2, 3, 4, 5, 6, 7, 9};
    assertThat(Comparison.of(one, other, 0.95, new SeededRandom(3)))
        .isEqualTo(Comparison.of(one, other, 0.95, new SeededRandom(3)));
  }

  @Test
  void fewRunsGetNoVerdictHoweverFarApart() {
    // 1 - 2^(1-5) = 93.75% and 1 - 2^(1-6) = 96.875%.
    assertThat(Comparison.runsNeeded(0.95)).isEqualTo(6);
    assertThat(Comparison.runsNeeded(0.9)).isEqualTo(5);
    double[] five = {1, 1.1, 1.2, 1.3, 1.4};
    double[] six = {100, 101, 102, 103, 104, 105};
    Comparison few = Comparison.of(five, six, 0.95, new SeededRandom(1));
    assertThat(few.verdict()).isEqualTo(Verdict.TOO_FEW_RUNS);
    assertThat(few.medianRatioInterval()).isEmpty();
    assertThat(few.meanDifferenceInterval()).isPresent();
    Comparison single = Comparison.of(new double[] {1}, six, 0.95, new SeededRandom(1));
    assertThat(single.verdict()).isEqualTo(Verdict.TOO_FEW_RUNS);
    assertThat(single.meanDifferenceInterval()).isEmpty();
  }

  @Test
  void whatHasNoRatioIsRefused() {
    double[] good = {1, 2, 3, 4, 5, 6};
    SeededRandom random = new SeededRandom(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.of(new double[] {0, 1}, good, 0.95, random));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.of(good, new double[] {-1}, 0.95, random));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.of(good, new double[0], 0.95, random));
    assertThatIllegalArgumentException().isThrownBy(() -> Comparison.of(good, good, 1, random));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Comparison.ratioOfMedians(good, good, 0.95, 99, random));
  }
}
