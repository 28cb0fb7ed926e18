package ebb.net.run;

/** A sum in whole parts. */
final class Shares {
  private Shares() {}

  /**
   * Parts of {@code total} in proportion to the weights, of which none is below zero; equal ones
   * where all are zero. Their sum is the total.
   */
  static long[] of(long total, double[] weights) {
    double all = 0;
    for (double weight : weights) {
      all += weight;
    }
    long[] parts = new long[weights.length];
    double sum = 0;
    long given = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += all > 0 ? weights[i] / all : 1.0 / weights.length;
      long upTo = i == weights.length - 1 ? total : Math.min(total, Math.round(sum * total));
      parts[i] = upTo - given;
      given = upTo;
    }
    return parts;
  }
}
