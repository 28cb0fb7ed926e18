package ebb.core.report;

import java.util.Locale;

/** A linear axis from 0 or the smallest value to a round number, with round ticks. */
final class Axis {
  private static final String SUFFIXES = "kMGT";

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

  /** The tick's value; from 100,000 on with k, M, G or T, the same for all ticks of the axis. */
  String label(int index) {
    double largest = Math.max(Math.abs(min), Math.abs(max));
    double unit = 1;
    String suffix = "";
    if (largest >= 100_000) {
      int power = Math.min(SUFFIXES.length(), (int) (Math.log10(largest) + 1e-9) / 3);
      unit = Math.pow(1_000, power);
      suffix = SUFFIXES.substring(power - 1, power);
    }
    double shown = step / unit;
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(shown) + 1e-9));
    // No "-0.0" for what only rounding put below zero.
    double value = Math.abs(tick(index)) < step / 1e6 ? 0 : tick(index) / unit;
    return String.format(Locale.ROOT, "%." + decimals + "f", value) + (value == 0 ? "" : suffix);
  }

  /** Where a value lies, 0 at min and 1 at max. */
  double fraction(double value) {
    return max > min ? (value - min) / (max - min) : 0;
  }
}
