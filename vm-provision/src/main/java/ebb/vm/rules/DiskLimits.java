package ebb.vm.rules;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a disk is to reach by its type and size, as its provider published it: data ({@code
 * disk-limits.csv}). What the machine allows is not in it.
 */
public final class DiskLimits {
  private static final double MIB = 1 << 20;

  /** Where and when the figures were seen, for people. */
  private final String source;

  private final Map<String, double[]> perGib = new HashMap<>();

  private DiskLimits() {
    String seen = "";
    for (List<String> row : RuleTable.read("disk-limits.csv", 6)) {
      perGib.put(
          row.get(0) + " " + row.get(1),
          new double[] {Double.parseDouble(row.get(2)), Double.parseDouble(row.get(3))});
      seen = row.get(4) + ", seen " + row.get(5);
    }
    source = seen;
  }

  /** Those of the jar. */
  public static DiskLimits standard() {
    return new DiskLimits();
  }

  public String source() {
    return source;
  }

  /**
   * Requests a second; empty for what is not known.
   *
   * @param operation {@code read} or {@code write}
   */
  public OptionalDouble iops(String type, String operation, int sizeGib) {
    double[] limits = perGib.get(type + " " + operation);
    return limits == null ? OptionalDouble.empty() : OptionalDouble.of(sizeGib * limits[0]);
  }

  /** Bytes a second; empty for what is not known. */
  public OptionalDouble bytesPerSecond(String type, String operation, int sizeGib) {
    double[] limits = perGib.get(type + " " + operation);
    return limits == null ? OptionalDouble.empty() : OptionalDouble.of(sizeGib * limits[1] * MIB);
  }
}
