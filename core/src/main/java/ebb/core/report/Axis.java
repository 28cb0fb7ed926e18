package ebb.core.report;

import java.util.Locale;

/** A linear axis from 0 or the smallest value to a round number, with round ticks. */
final class Axis {
  final double min;
  final double max;
  final double step;

  private Axis(double min, double max, double step) {
    this.min = min;
    this.max = max;
    this.step = step;
  }

  /** An axis that holds {@code low} to {@code high} in about {@code ticks} steps of 1, 2 or 5. */
  static Axis of(double low, double high, int ticks) {
    double top = high > low ? high : low + 1;
    double span = top - low;
    double raw = span / Math.max(1, ticks);
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = power * 10;
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= raw * (1 - 1e-9)) {
        step = factor * power;
        break;
      }
    }
    return new Axis(
        Math.floor(low / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step, step);
  }

  int tickCount() {
    return (int) Math.round((max - min) / step);
  }

  double tick(int index) {
    return min + index * step;
  }

  String label(int index) {
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    return String.format(Locale.ROOT, "%." + decimals + "f", tick(index));
  }

  /** Where a value lies, 0 at min and 1 at max. */
  double fraction(double value) {
    return max > min ? (value - min) / (max - min) : 0;
  }
}
