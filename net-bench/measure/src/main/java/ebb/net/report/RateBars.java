package ebb.net.report;

/** Rates as a small plot, a block character each. */
public final class RateBars {
  private static final String BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

  private RateBars() {}

  /**
   * In order.
   *
   * @param most what the highest block stands for
   */
  public static String text(Iterable<Double> rates, double most) {
    StringBuilder bars = new StringBuilder();
    for (double rate : rates) {
      double part = most > 0 ? Math.max(0, Math.min(1, rate / most)) : 0;
      bars.append(BLOCKS.charAt((int) Math.round(part * (BLOCKS.length() - 1))));
    }
    return bars.toString();
  }
}
