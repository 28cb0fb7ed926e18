package ebb.core.units;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A rate in bits a second. {@code 20M} is 20 Mbit/s, as with iperf3's {@code -b}; a capital B after
 * the prefix means bytes: {@code 20MB} is 160 Mbit/s.
 *
 * @param bitsPerSecond 0 or more
 */
public record BitRate(long bitsPerSecond) {
  private static final String ACCEPTED = "such as 20M or 20mbit (bits a second), 2.5MB (bytes)";
  private static final Map<String, BigDecimal> FACTORS = factors();

  public BitRate {
    if (bitsPerSecond < 0) {
      throw new IllegalArgumentException("a rate cannot be negative: " + bitsPerSecond);
    }
  }

  /** Reads {@code 20M}, {@code 50mbit}, {@code 1.5Gbit}, {@code 20MB}, {@code 20MiB}. */
  public static BitRate parse(String text) {
    return new BitRate(UnitText.parse("rate", text, FACTORS, ACCEPTED));
  }

  private static Map<String, BigDecimal> factors() {
    Map<String, BigDecimal> factors = new HashMap<>();
    factors.put("", BigDecimal.ONE);
    put(factors, "bit", BigDecimal.ONE);
    put(factors, "B", BigDecimal.valueOf(8));
    String prefixes = "KMGT";
    for (int i = 0; i < prefixes.length(); i++) {
      String prefix = prefixes.substring(i, i + 1);
      BigDecimal si = BigDecimal.valueOf(1000).pow(i + 1);
      BigDecimal iec = BigDecimal.valueOf(1024).pow(i + 1);
      for (String spelling : new String[] {prefix, prefix.toLowerCase(Locale.ROOT)}) {
        factors.put(spelling, si);
        put(factors, spelling + "bit", si);
        put(factors, spelling + "B", si.multiply(BigDecimal.valueOf(8)));
        put(factors, spelling + "iB", iec.multiply(BigDecimal.valueOf(8)));
      }
    }
    return factors;
  }

  /** With and without "/s": what Ebb prints, it also reads. */
  private static void put(Map<String, BigDecimal> factors, String unit, BigDecimal factor) {
    factors.put(unit, factor);
    factors.put(unit + "/s", factor);
  }

  /** Whole bytes a second, cut off: 0 for less than 8 bit/s. */
  public long bytesPerSecond() {
    return bitsPerSecond / 8;
  }

  /** For people: {@code 1.2 Gbit/s}. */
  @Override
  public String toString() {
    return Human.bitRate((double) bitsPerSecond);
  }
}
