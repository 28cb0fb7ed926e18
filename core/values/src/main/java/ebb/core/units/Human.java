package ebb.core.units;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Quantities as people read them: three significant digits and a unit, the same in every locale.
 * What is not a finite number is {@code "-"}.
 */
public final class Human {
  private static final String[] SI = {"", "k", "M", "G", "T", "P"};
  private static final String UNKNOWN = "-";
  private static final long MAX_ETA_SECONDS = 100L * 86_400;

  private Human() {}

  /** {@code 12.3 MB}. */
  public static String bytes(double bytes) {
    return scaled(bytes, "B");
  }

  /** {@code 12.3 MB/s}, from bytes a second. */
  public static String byteRate(double bytesPerSecond) {
    return scaled(bytesPerSecond, "B/s");
  }

  /** {@code 1.20 Gbit/s}, from bits a second. */
  public static String bitRate(double bitsPerSecond) {
    return scaled(bitsPerSecond, "bit/s");
  }

  /** {@code 170 us}, {@code 41.7 ms}, {@code 2.50 s}, {@code 4m05s}, {@code 1h02m}. */
  public static String micros(long micros) {
    if (micros < 0) {
      // Long.MIN_VALUE has no positive counterpart.
      return "-" + micros(micros == Long.MIN_VALUE ? Long.MAX_VALUE : -micros);
    }
    if (micros < 1_000) {
      return micros + " us";
    }
    // The limits are where three digits would round up to the next unit.
    if (micros < 999_500) {
      return digits(micros / 1e3) + " ms";
    }
    if (micros < 59_950_000) {
      return digits(micros / 1e6) + " s";
    }
    return clock(micros / 1_000_000 + (micros % 1_000_000 >= 500_000 ? 1 : 0));
  }

  /** {@code 5s}, {@code 4m05s}, {@code 1h02m}, {@code 2d03h}; cut off, not rounded. */
  public static String clock(long seconds) {
    if (seconds < 0) {
      return "-" + clock(seconds == Long.MIN_VALUE ? Long.MAX_VALUE : -seconds);
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
    }
    if (seconds < 86_400) {
      return String.format(Locale.ROOT, "%dh%02dm", seconds / 3_600, seconds % 3_600 / 60);
    }
    return String.format(Locale.ROOT, "%dd%02dh", seconds / 86_400, seconds % 86_400 / 3_600);
  }

  /**
   * The time that {@code remaining} takes at a rate, rounded up to a second; {@code "-"} when there
   * is no rate to go by, or when it would take 100 days or more.
   */
  public static String eta(double remaining, double perSecond) {
    double seconds = Math.ceil(Math.max(0, remaining) / perSecond);
    return perSecond > 0 && seconds < MAX_ETA_SECONDS ? clock((long) seconds) : UNKNOWN;
  }

  private static String scaled(double value, String unit) {
    if (!Double.isFinite(value)) {
      return UNKNOWN;
    }
    if (value <= -0.5) {
      return "-" + scaled(-value, unit);
    }
    // No "-0": what is left below zero rounds to it.
    double scaled = Math.max(0, value);
    int power = 0;
    // 999.5 would print as 1000: go on to the next prefix.
    while (scaled >= 999.5 && power < SI.length - 1) {
      scaled /= 1_000;
      power++;
    }
    String number = power == 0 ? fixed(scaled, 0) : digits(scaled);
    return number + " " + SI[power] + unit;
  }

  private static String digits(double value) {
    return fixed(value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
  }

  /** As {@code %.2f} and the like, which the first time has Java load all it knows of locales. */
  private static String fixed(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
  }
}
