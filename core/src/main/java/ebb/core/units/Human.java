package ebb.core.units;

import java.util.Locale;

/**
 * Quantities as people read them: three significant digits and a unit, the same in every locale.
 */
public final class Human {
  private static final String[] SI = {"", "k", "M", "G", "T", "P"};

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
    if (micros < 1_000) {
      return micros + " us";
    }
    if (micros < 1_000_000) {
      return digits(micros / 1e3) + " ms";
    }
    if (micros < 60_000_000) {
      return digits(micros / 1e6) + " s";
    }
    return clock((micros + 500_000) / 1_000_000);
  }

  /** {@code 5s}, {@code 4m05s}, {@code 1h02m}: for remaining times. */
  public static String clock(long seconds) {
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3_600) {
      return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
    }
    return String.format(Locale.ROOT, "%dh%02dm", seconds / 3_600, seconds % 3_600 / 60);
  }

  private static String scaled(double value, String unit) {
    double scaled = value;
    int power = 0;
    // 999.5 would print as 1000: go on to the next prefix.
    while (scaled >= 999.5 && power < SI.length - 1) {
      scaled /= 1_000;
      power++;
    }
    String number = power == 0 ? String.format(Locale.ROOT, "%.0f", scaled) : digits(scaled);
    return number + " " + SI[power] + unit;
  }

  private static String digits(double value) {
    int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
