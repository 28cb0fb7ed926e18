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
   * @param x ascending
   * @param y as many as x; NaN leaves a gap
   */
  public Series(String name, double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(
          "series '" + name + "' has " + x.length + " x and " + y.length + " y");
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
