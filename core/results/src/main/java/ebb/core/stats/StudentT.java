package ebb.core.stats;

/**
 * Quantiles of Student's t distribution with any positive number of degrees of freedom, whole or
 * not. The distribution function is the regularised incomplete beta function (Abramowitz and Stegun
 * 26.5.27), here by its continued fraction (26.5.8); the quantile is found by bisection.
 */
final class StudentT {
  private static final double[] LANCZOS = {
    0.9999999999998099,
    676.5203681218851,
    -1259.1392167224028,
    771.3234287776531,
    -176.6150291621406,
    12.507343278686905,
    -0.13857109526572012,
    9.984369578019572e-06,
    1.5056327351493116e-7
  };
  private static final int MAX_TERMS = 10_000;
  private static final double TINY = 1e-300;

  private StudentT() {}

  /** The t that {@code |T|} does not exceed with the probability {@code confidence}. */
  static double twoSided(double confidence, double degrees) {
    Interval.checkConfidence(confidence);
    if (!(degrees > 0)) {
      throw new IllegalArgumentException("degrees of freedom must be positive: " + degrees);
    }
    double outside = 1 - confidence;
    double high = 1;
    while (outsideOf(high, degrees) > outside) {
      high *= 2;
    }
    double low = 0;
    for (int i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      if (middle <= low || middle >= high) {
        break;
      }
      if (outsideOf(middle, degrees) > outside) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** P(|T| > t). */
  private static double outsideOf(double t, double degrees) {
    double square = t * t;
    // x and 1 - x apart, for with many degrees of freedom x is next to 1.
    return beta(degrees / (degrees + square), square / (degrees + square), degrees / 2, 0.5);
  }

  /** The regularised incomplete beta function I_x(a, b), with {@code rest} = 1 - x. */
  private static double beta(double x, double rest, double a, double b) {
    if (x <= 0) {
      return 0;
    }
    if (rest <= 0) {
      return 1;
    }
    double front =
        Math.exp(
            logGamma(a + b)
                - logGamma(a)
                - logGamma(b)
                + a * Math.log(x)
                + b * (rest < 0.5 ? Math.log1p(-x) : Math.log(rest)));
    // The fraction converges quickly only on this side; the other follows by symmetry.
    if (x < (a + 1) / (a + b + 2)) {
      return front * fraction(x, a, b) / a;
    }
    return 1 - front * fraction(rest, b, a) / b;
  }

  /** Lentz's evaluation of the continued fraction. */
  private static double fraction(double x, double a, double b) {
    double c = 1;
    double d = 1 / notZero(1 - (a + b) * x / (a + 1));
    double value = d;
    for (int m = 1; m <= MAX_TERMS; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / notZero(1 + even * d);
      c = notZero(1 + even / c);
      value *= d * c;
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / notZero(1 + odd * d);
      c = notZero(1 + odd / c);
      double factor = d * c;
      value *= factor;
      if (Math.abs(factor - 1) < 1e-15) {
        break;
      }
    }
    return value;
  }

  private static double notZero(double value) {
    return Math.abs(value) < TINY ? TINY : value;
  }

  /** Lanczos' approximation, for values of 0.5 and more or reflected to such. */
  private static double logGamma(double value) {
    if (value < 0.5) {
      return Math.log(Math.PI / Math.sin(Math.PI * value)) - logGamma(1 - value);
    }
    double z = value - 1;
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (z + i);
    }
    double t = z + LANCZOS.length - 1.5;
    return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
  }
}
