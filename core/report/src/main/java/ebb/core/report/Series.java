package ebb.core.report;

import java.util.Arrays;

/**
 * One line of a chart: values over a shared axis. It takes the arrays over; they must not be
 * changed afterwards.
 */
public final class Series {
  private static final int CDF_POINTS = 1_000;

  private final String name;
  private final double[] x;
  private final double[] y;

  /**
   * A line.
   *
   * @param name as the legend shows it
   * @param x ascending and finite
   * @param y as many as x; what is not finite leaves a gap
   */
  public Series(String name, double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "series '" + name + "' has " + x.length + " x and " + y.length + " y");
    }
    for (int i = 0; i < x.length; i++) {
      if (!Double.isFinite(x[i]) || (i > 0 && x[i] < x[i - 1])) {
        throw new IllegalArgumentException("series '" + name + "': x is not ascending at " + i);
      }
    }
    this.name = name;
    this.x = x;
    this.y = y;
  }

  String name() {
    return name;
  }

  double[] x() {
    return x;
  }

  double[] y() {
    return y;
  }

  /**
   * The share of samples that are at most so large: a line from 0 to 1, of at most a thousand
   * points, all of them samples.
   */
  public static Series cdf(String name, double[] samples) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    double[] x = thinned(sorted, CDF_POINTS);
    double[] share = new double[x.length];
    for (int i = 0; i < share.length; i++) {
      share[i] = (place(i, x.length, sorted.length) + 1.0) / sorted.length;
    }
    return new Series(name, x, share);
  }

  /** At most so many of the values, evenly spread, the first and the last among them. */
  static double[] thinned(double[] values, int atMost) {
    double[] kept = new double[Math.min(values.length, atMost)];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = values[place(i, kept.length, values.length)];
    }
    return kept;
  }

  private static int place(int index, int kept, int of) {
    return kept < 2 ? 0 : (int) ((long) index * (of - 1) / (kept - 1));
  }
}
