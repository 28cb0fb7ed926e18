package ebb.core.units;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A number of bytes. SI and IEC units are kept apart: {@code 10M} is 10,000,000 bytes, {@code 10Mi}
 * is 10,485,760.
 *
 * @param bytes 0 or more
 */
public record ByteSize(long bytes) {
  private static final String ACCEPTED = "such as 500, 64K, 1.5G (powers of 1000), 64Ki, 1Gi";
  private static final Map<String, BigDecimal> FACTORS = factors();

  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size cannot be negative: " + bytes);
    }
  }

  /** Reads {@code 500}, {@code 10M}, {@code 1Gi}, {@code 64KiB}, {@code 1.5GB}. */
  public static ByteSize parse(String text) {
    return new ByteSize(UnitText.parse("size", text, FACTORS, ACCEPTED));
  }

  private static Map<String, BigDecimal> factors() {
    Map<String, BigDecimal> factors = new HashMap<>();
    factors.put("", BigDecimal.ONE);
    factors.put("B", BigDecimal.ONE);
    String prefixes = "KMGT";
    for (int i = 0; i < prefixes.length(); i++) {
      String prefix = prefixes.substring(i, i + 1);
      BigDecimal si = BigDecimal.valueOf(1000).pow(i + 1);
      BigDecimal iec = BigDecimal.valueOf(1024).pow(i + 1);
      for (String spelling : new String[] {prefix, prefix.toLowerCase(Locale.ROOT)}) {
        factors.put(spelling, si);
        factors.put(spelling + "B", si);
        factors.put(spelling + "i", iec);
        factors.put(spelling + "iB", iec);
      }
    }
    return factors;
  }

  /** For people: {@code 12.3 MB}. */
  @Override
  public String toString() {
    return Human.bytes((double) bytes);
  }
}
