package ebb.ledbat.trace;

/**
 * What one number of {@link Counters} means.
 *
 * @param name in lower case with underscores; unique within its counters
 * @param unit such as "bytes" or "datagrams"
 * @param help one line for people
 */
public record Metric(String name, Kind kind, String unit, String help) {
  /** How a number behaves over time. */
  public enum Kind {
    /** It only grows. */
    COUNTER,
    /** It goes up and down. */
    GAUGE
  }
}
