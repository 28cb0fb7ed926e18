package ebb.core.units;

import java.math.BigDecimal;
import java.util.Map;

/**
 * A length of time in microseconds. A unit is required, for "60" has been read as seconds by some
 * and as milliseconds by others; only 0 needs none.
 *
 * @param micros 0 or more
 */
public record Micros(long micros) {
  private static final String ACCEPTED = "such as 500us, 60ms, 1.5s, 2m, 1h";
  private static final Map<String, BigDecimal> FACTORS =
      Map.of(
          "us", BigDecimal.ONE,
          "ms", BigDecimal.valueOf(1_000),
          "s", BigDecimal.valueOf(1_000_000),
          "m", BigDecimal.valueOf(60_000_000),
          "min", BigDecimal.valueOf(60_000_000),
          "h", BigDecimal.valueOf(3_600_000_000L),
          "d", BigDecimal.valueOf(86_400_000_000L));

  public Micros {
    if (micros < 0) {
      throw new IllegalArgumentException("a time cannot be negative: " + micros);
    }
  }

  /**
   * Reads {@code 500us}, {@code 60ms}, {@code 1.5s}, {@code 2m}, {@code 1h}, {@code 30d}, {@code
   * 0}.
   */
  public static Micros parse(String text) {
    if (text.trim().equals("0")) {
      return new Micros(0);
    }
    return new Micros(UnitText.parse("time", text, FACTORS, ACCEPTED));
  }

  /** For people: {@code 41.7 ms}. */
  @Override
  public String toString() {
    return Human.micros(micros);
  }
}
