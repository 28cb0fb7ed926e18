package ebb.selfbench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one process had done at a moment, as named numbers: counts that grow, so that two marks make
 * a measurement, and peaks. {@link Meter} writes them.
 */
record Mark(Map<String, Long> values) {
  static final String BYTES = "bytes";
  static final String NANOS = "nanos";
  static final String CPU_NANOS = "cpu";
  static final String PACKETS = "packets";
  static final String BURSTS = "bursts";
  static final String ALLOCATED_BYTES = "allocated";
  static final String GC_PAUSES = "gc_pauses";
  static final String GC_MAX_MILLIS = "gc_max_millis";
  static final String HEAP_PEAK_BYTES = "heap_peak";

  /**
   * Reads {@code name=value name=value ...}.
   *
   * @throws IllegalArgumentException for anything else
   */
  static Mark parse(String text) {
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
  long get(String name) {
    return values.getOrDefault(name, 0L);
  }

  /** How much it grew since {@code earlier}. */
  long since(Mark earlier, String name) {
    return get(name) - earlier.get(name);
  }
}
