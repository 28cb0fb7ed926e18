package ebb.net.report;

import ebb.core.units.Human;
import java.util.Locale;
import java.util.Map;

/**
 * In which unit rates are shown: iperf3's {@code -f}. A small letter is bits a second by powers of
 * 1000, a capital one bytes a second by powers of 1024.
 */
public enum RateFormat {
  /** Whatever fits each figure. */
  FITTING("", 0),
  KILOBITS("kbit/s", 1e3),
  MEGABITS("Mbit/s", 1e6),
  GIGABITS("Gbit/s", 1e9),
  TERABITS("Tbit/s", 1e12),
  KIBIBYTES("KiB/s", 8.0 * (1 << 10)),
  MEBIBYTES("MiB/s", 8.0 * (1 << 20)),
  GIBIBYTES("GiB/s", 8.0 * (1 << 30)),
  TEBIBYTES("TiB/s", 8.0 * (1L << 40));

  private static final Map<String, RateFormat> LETTERS =
      Map.of(
          "k", KILOBITS, "m", MEGABITS, "g", GIGABITS, "t", TERABITS, "K", KIBIBYTES, "M",
          MEBIBYTES, "G", GIBIBYTES, "T", TEBIBYTES);

  private final String unit;
  private final double bits;

  RateFormat(String unit, double bits) {
    this.unit = unit;
    this.bits = bits;
  }

  /**
   * By its letter.
   *
   * @throws IllegalArgumentException with one line
   */
  public static RateFormat of(String letter) {
    RateFormat known = LETTERS.get(letter);
    if (known == null) {
      throw new IllegalArgumentException("-f is one of k, m, g, t, K, M, G, T: " + letter);
    }
    return known;
  }

  /** For people; {@code "-"} for what is not known. */
  public String text(double bitsPerSecond) {
    if (this == FITTING || !Double.isFinite(bitsPerSecond)) {
      return Human.bitRate(bitsPerSecond);
    }
    double value = bitsPerSecond / bits;
    return String.format(
        Locale.ROOT, value < 10 ? "%.2f %s" : value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
  }
}
