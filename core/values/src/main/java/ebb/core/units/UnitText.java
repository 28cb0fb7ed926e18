package ebb.core.units;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a quantity into number and unit; shared by the types of this package. */
final class UnitText {
  private static final Pattern QUANTITY =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]*(?:/s)?)\\s*");

  /** More than any quantity needs; the cost of reading digits grows with their square. */
  private static final int MAX_CHARS = 64;

  private UnitText() {}

  /**
   * {@code text} in the base unit, rounded half up.
   *
   * @param factors base units in one of each unit, by its exact spelling; "" for no unit
   * @throws IllegalArgumentException with one line that names the text and what is accepted
   */
  static long parse(String what, String text, Map<String, BigDecimal> factors, String accepted) {
    Matcher matcher = QUANTITY.matcher(text);
    boolean plausible = text.length() <= MAX_CHARS && matcher.matches();
    BigDecimal factor = plausible ? factors.get(matcher.group(2)) : null;
    if (factor == null) {
      throw new IllegalArgumentException(
          quoted(text) + " is not a " + what + " (" + accepted + ")");
    }
    BigDecimal value =
        new BigDecimal(matcher.group(1)).multiply(factor).setScale(0, RoundingMode.HALF_UP);
    if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          quoted(text) + " is too large for a " + what + " (" + accepted + ")");
    }
    return value.longValueExact();
  }

  /** The text for a message of one line, whatever it holds. */
  private static String quoted(String text) {
    String shown = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
    return "'" + shown.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?") + "'";
  }
}
