package ebb.testkit.link;

/**
 * CoDel's two parameters (RFC 8289).
 *
 * @param targetMicros a queue that stays above this for an interval stands, and is reduced
 * @param intervalMicros how long a flow may take to react: a round trip of the slowest
 */
public record CodelSpec(long targetMicros, long intervalMicros) implements QueueSpec {
  /** RFC 8289, 4.4: "TARGET ... 5 ms"; 4.3: "a value of 100 ms" for INTERVAL. */
  public static final CodelSpec DEFAULTS = new CodelSpec(5_000, 100_000);

  /** Ranges are checked. */
  public CodelSpec {
    if (targetMicros < 1 || intervalMicros < targetMicros) {
      throw new IllegalArgumentException(
          "CoDel needs 0 < target <= interval: " + targetMicros + ", " + intervalMicros);
    }
  }
}
