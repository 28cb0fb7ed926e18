package ebb.selfbench.process;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one process had done at a moment, as named numbers: counts that grow, so that two marks make
 * a measurement, and peaks. {@link Meter} writes them.
 */
public record Mark(Map<String, Long> values) {
  public static final String BYTES = "bytes";
  public static final String NANOS = "nanos";
  public static final String CPU_NANOS = "cpu";
  public static final String PACKETS = "packets";
  public static final String BURSTS = "bursts";
  public static final String ALLOCATED_BYTES = "allocated";
  public static final String GC_PAUSES = "gc_pauses";
  public static final String GC_MAX_MILLIS = "gc_max_millis";
  public static final String HEAP_PEAK_BYTES = "heap_peak";

  /**
   * Reads {@code name=value name=value ...}.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Mark parse(String text) {
    Map<String, Long> values = new LinkedHashMap<>();
    for (String word : text.trim().split(" +", -1)) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("not a mark: " + text);
      }
      values.put(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
    }
    return new Mark(values);
  }

  /** 0 for what the process does not count. */
  public long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** How much it grew since {@code earlier}. */
  public long since(Mark earlier, String name) {
    return get(name) - earlier.get(name);
  }
}
