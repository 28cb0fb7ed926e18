package ebb.core.stats;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Whether the runs of a candidate differ from the runs of a baseline, and by how much. Two methods
 * have to agree before a difference is claimed: Welch's interval of the difference of means, and
 * the bootstrap's interval of the ratio of medians. Whether higher is better is the caller's to
 * know.
 *
 * @param meanDifference the candidate's mean less the baseline's
 * @param meanDifferenceInterval absent when a side has fewer than two runs
 * @param medianRatio the candidate's median over the baseline's
 * @param medianRatioInterval absent when the verdict is {@link Verdict#TOO_FEW_RUNS}
 */
public record Comparison(
    double meanDifference,
    Optional<Interval> meanDifferenceInterval,
    double medianRatio,
    Optional<Interval> medianRatioInterval,
    Verdict verdict) {
  /** Enough for the ends of a 95% interval to be steady to about a percent of its width. */
  public static final int DEFAULT_RESAMPLES = 10_000;

  /** What may be said. */
  public enum Verdict {
    /** The candidate's values are higher. */
    HIGHER("higher"),
    /** The candidate's values are lower. */
    LOWER("lower"),
    /** The runs do not show a difference; that is not to say that there is none. */
    NOT_DISTINGUISHABLE("not distinguishable"),
    /** No interval of the confidence asked for can be had from so few runs. */
    TOO_FEW_RUNS("too few runs to tell");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    /** For people: {@code not distinguishable}. */
    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * Compares with {@link #DEFAULT_RESAMPLES} resamples.
   *
   * @param baseline positive values, one a run
   * @param candidate values of 0 or more, one a run
   * @param confidence such as 0.95
   * @param random seeded, so that the same runs get the same verdict
   * @throws IllegalArgumentException when a side is empty or a value out of its range
   */
  public static Comparison of(
      double[] baseline, double[] candidate, double confidence, RandomGenerator random) {
    Interval.checkConfidence(confidence);
    Summary before = Summary.of(baseline);
    Summary after = Summary.of(candidate);
    if (before.min() <= 0 || after.min() < 0) {
      throw new IllegalArgumentException(
          "a ratio needs a positive baseline and no negative value: smallest "
              + before.min()
              + " and "
              + after.min());
    }
    double difference = after.mean() - before.mean();
    double ratio = after.median() / before.median();
    Optional<Interval> means =
        before.count() < 2 || after.count() < 2
            ? Optional.empty()
            : Optional.of(differenceOfMeans(before, after, confidence));
    int runs = Math.min(before.count(), after.count());
    if (means.isEmpty() || runs < runsNeeded(confidence)) {
      return new Comparison(difference, means, ratio, Optional.empty(), Verdict.TOO_FEW_RUNS);
    }
    Interval medians = ratioOfMedians(baseline, candidate, confidence, DEFAULT_RESAMPLES, random);
    return new Comparison(
        difference, means, ratio, Optional.of(medians), judge(means.get(), medians));
  }

  /**
   * The verdict in words, with its size where a difference is claimed: {@code faster by 12.0% [9.1%
   * to 15.2%]}.
   *
   * @param more what a higher value is, such as {@code faster}
   * @param less what a lower value is
   */
  public String words(String more, String less) {
    boolean higher = verdict == Verdict.HIGHER;
    if ((!higher && verdict != Verdict.LOWER) || medianRatioInterval.isEmpty()) {
      return verdict.toString();
    }
    Interval ratio = medianRatioInterval.get();
    double sign = higher ? 100 : -100;
    return String.format(
        Locale.ROOT,
        "%s by %.1f%% [%.1f%% to %.1f%%]",
        higher ? more : less,
        sign * (medianRatio - 1),
        sign * ((higher ? ratio.low() : ratio.high()) - 1),
        sign * ((higher ? ratio.high() : ratio.low()) - 1));
  }

  private static Verdict judge(Interval difference, Interval ratio) {
    if (difference.low() > 0 && ratio.low() > 1) {
      return Verdict.HIGHER;
    }
    if (difference.high() < 0 && ratio.high() < 1) {
      return Verdict.LOWER;
    }
    return Verdict.NOT_DISTINGUISHABLE;
  }

  /**
   * The fewest runs a side from which medians can be bounded. The whole range of n runs misses the
   * true median with the probability 2^(1-n), so fewer can never reach the confidence, however
   * often they are resampled: 6 runs for 95%.
   */
  public static int runsNeeded(double confidence) {
    Interval.checkConfidence(confidence);
    int runs = 2;
    while (Math.pow(2, 1 - runs) > 1 - confidence) {
      runs++;
    }
    return runs;
  }

  /**
   * Welch's t interval of {@code candidate}'s mean less {@code baseline}'s; it does not assume
   * equal variances. Without any variance on either side it is the difference itself.
   *
   * @throws IllegalArgumentException when a side has fewer than two samples
   */
  public static Interval differenceOfMeans(Summary baseline, Summary candidate, double confidence) {
    if (baseline.count() < 2 || candidate.count() < 2) {
      throw new IllegalArgumentException("an interval needs two samples on either side");
    }
    double difference = candidate.mean() - baseline.mean();
    double a = baseline.variance() / baseline.count();
    double b = candidate.variance() / candidate.count();
    double sum = a + b;
    if (sum == 0) {
      return new Interval(difference, difference, confidence);
    }
    // Welch-Satterthwaite, in shares of the sum so that tiny variances do not underflow.
    double shareA = a / sum;
    double shareB = b / sum;
    double degrees =
        1 / (shareA * shareA / (baseline.count() - 1) + shareB * shareB / (candidate.count() - 1));
    double margin = StudentT.twoSided(confidence, degrees) * Math.sqrt(sum);
    return new Interval(difference - margin, difference + margin, confidence);
  }

  /**
   * The percentile bootstrap's interval of {@code candidate}'s median over {@code baseline}'s.
   *
   * @param baseline positive values
   * @param resamples at least 100; each costs a sort of both sides
   */
  public static Interval ratioOfMedians(
      double[] baseline,
      double[] candidate,
      double confidence,
      int resamples,
      RandomGenerator random) {
    Interval.checkConfidence(confidence);
    if (resamples < 100) {
      throw new IllegalArgumentException("at least 100 resamples: " + resamples);
    }
    if (!(Summary.of(baseline).min() > 0)) {
      throw new IllegalArgumentException("a ratio needs a positive baseline");
    }
    Summary.of(candidate);
    double[] ratios = new double[resamples];
    double[] scratchA = new double[baseline.length];
    double[] scratchB = new double[candidate.length];
    for (int i = 0; i < resamples; i++) {
      double below = resampledMedian(baseline, scratchA, random);
      ratios[i] = resampledMedian(candidate, scratchB, random) / below;
    }
    Arrays.sort(ratios);
    double tail = 50 * (1 - confidence);
    return new Interval(
        Summary.percentileOfSorted(ratios, tail),
        Summary.percentileOfSorted(ratios, 100 - tail),
        confidence);
  }

  private static double resampledMedian(double[] from, double[] scratch, RandomGenerator random) {
    for (int i = 0; i < scratch.length; i++) {
      scratch[i] = from[random.nextInt(from.length)];
    }
    Arrays.sort(scratch);
    return Summary.percentileOfSorted(scratch, 50);
  }
}
