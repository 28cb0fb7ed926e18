package ebb.selfbench;

import java.util.Locale;

/**
 * One line of Ebb's targets: what was measured against what was wanted.
 *
 * @param target its number in the list of nine
 * @param what is compared
 * @param measured NaN when it was not
 * @param bound what was wanted
 * @param atLeast whether the bound is the least or the most
 * @param unit after the number; "" for a ratio
 * @param reason why it was not measured; "" when it was
 */
record Verdict(
    int target,
    String what,
    double measured,
    double bound,
    boolean atLeast,
    String unit,
    String reason) {

  static Verdict atLeast(int target, String what, double measured, double bound, String unit) {
    return new Verdict(target, what, measured, bound, true, unit, "");
  }

  static Verdict atMost(int target, String what, double measured, double bound, String unit) {
    return new Verdict(target, what, measured, bound, false, unit, "");
  }

  /** The same, not measured. */
  Verdict because(String why) {
    return new Verdict(target, what, Double.NaN, bound, atLeast, unit, why);
  }

  boolean wasMeasured() {
    return !Double.isNaN(measured);
  }

  boolean met() {
    return atLeast ? measured >= bound : measured <= bound;
  }

  String word() {
    return wasMeasured() ? (met() ? "met" : "not met") : "not measured";
  }

  String measuredText() {
    return wasMeasured() ? text(measured) : "-";
  }

  String wantedText() {
    return (atLeast ? ">= " : "<= ") + text(bound);
  }

  private String text(double value) {
    String number =
        value == Math.rint(value) || value >= 100
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, value < 1 ? "%.3f" : "%.2f", value);
    return unit.isEmpty() ? number : number + " " + unit;
  }
}
