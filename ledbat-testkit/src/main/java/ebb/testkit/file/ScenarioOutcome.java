package ebb.testkit.file;

import java.util.List;

/**
 * What came of a scenario: its checks with what was measured, and a time line of the first run.
 * Immutable.
 *
 * @param traceDigest SHA-256 of everything that happened in the first run
 * @param virtualMicros simulated, all runs together
 * @param events of all runs together
 */
public record ScenarioOutcome(
    ScenarioFile file,
    List<Result> results,
    List<Line> lines,
    List<Double> seconds,
    List<Double> queueMillis,
    String traceDigest,
    long virtualMicros,
    long events) {

  /**
   * One check.
   *
   * @param value mean over the runs
   */
  public record Result(Check check, double value) {
    /** Whether the bounds are kept. */
    public boolean holds() {
      return check.holds(value);
    }
  }

  /**
   * One flow over time.
   *
   * @param targetMicros of its first controller; 0 for TCP
   */
  public record Line(
      String flow, long targetMicros, List<Double> megabits, List<Double> cwndPackets) {}

  /** Whether every check holds. */
  public boolean holds() {
    return results.stream().allMatch(Result::holds);
  }
}
