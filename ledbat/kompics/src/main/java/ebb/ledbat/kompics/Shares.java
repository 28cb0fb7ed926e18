package ebb.ledbat.kompics;

import java.util.Arrays;
import java.util.Comparator;

/** Weighted max-min shares: who wants little gets it, the others share the rest by weight. */
final class Shares {
  private Shares() {}

  /**
   * Divides an amount.
   *
   * @param weights above 0
   * @param wanted at most so much; {@link Double#POSITIVE_INFINITY} for whatever there is
   * @return one share each; their sum is the amount, or what all want if that is less
   */
  static double[] of(double amount, double[] weights, double[] wanted) {
    int count = weights.length;
    Integer[] order = new Integer[count];
    double weightLeft = 0;
    for (int i = 0; i < count; i++) {
      order[i] = i;
      weightLeft += weights[i];
    }
    Arrays.sort(order, Comparator.comparingDouble(i -> wanted[i] / weights[i]));
    double left = amount;
    double[] shares = new double[count];
    for (int i : order) {
      double fair = weightLeft <= 0 ? 0 : left * weights[i] / weightLeft;
      shares[i] = Math.min(wanted[i], fair);
      left = Math.max(0, left - shares[i]);
      weightLeft -= weights[i];
    }
    return shares;
  }

  /** What one more of this weight would get beside these if it wanted all it can get. */
  static double fair(double amount, double[] shares, double[] weights, double[] wanted, double w) {
    double left = amount;
    double weight = w;
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] < wanted[i]) {
        weight += weights[i];
      } else {
        left -= shares[i];
      }
    }
    return Math.max(0, left) * w / weight;
  }
}
