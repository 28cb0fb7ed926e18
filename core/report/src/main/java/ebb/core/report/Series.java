package ebb.core.report;

/**
 * One line of a chart: values over a shared axis. It takes the arrays over; they must not be
 * changed afterwards.
 */
public final class Series {
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
}
