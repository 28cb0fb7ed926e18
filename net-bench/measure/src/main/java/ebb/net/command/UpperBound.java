package ebb.net.command;

import ebb.core.units.Micros;

/** Upper bounds as users write them: a ratio, a time, or "none". */
final class UpperBound {
  private static final String NONE = "none";

  private UpperBound() {}

  /**
   * Reads {@code 5%}, {@code 0.05} or {@code none}.
   *
   * @throws IllegalArgumentException with one line
   */
  static double ratio(String option, String text) {
    if (text.equals(NONE)) {
      return Double.POSITIVE_INFINITY;
    }
    boolean percent = text.endsWith("%");
    String digits = percent ? text.substring(0, text.length() - 1) : text;
    if (digits.matches("\\d{1,6}(\\.\\d{1,9})?")) {
      double value = Double.parseDouble(digits) / (percent ? 100 : 1);
      if (value <= 1) {
        return value;
      }
    }
    throw new IllegalArgumentException(option + " is a share such as 5% or 0.05, or none");
  }

  /**
   * Reads {@code 30ms} or {@code none}.
   *
   * @throws IllegalArgumentException with one line
   */
  static double micros(String text) {
    return text.equals(NONE) ? Double.POSITIVE_INFINITY : Micros.parse(text).micros();
  }
}
