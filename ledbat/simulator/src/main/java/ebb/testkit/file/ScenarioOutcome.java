package ebb.testkit.file;

import ebb.ledbat.connection.LimitTimes;
import java.util.Comparator;
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
   * @param values one for each run; each is judged
   */
  public record Result(Check check, List<Double> values) {
    /** The value of the run that keeps the bounds least, or misses them most. */
    public double value() {
      return values.stream().min(Comparator.comparingDouble(check::margin)).orElse(Double.NaN);
    }

    /** Whether every run keeps the bounds. */
    public boolean holds() {
      return values.stream().allMatch(check::holds);
    }
  }

  /**
   * One flow over time.
   *
   * @param targetMicros of its first controller; 0 for TCP
   * @param limits what kept it from sending more, in each step
   */
  public record Line(
      String flow,
      long targetMicros,
      List<Double> megabits,
      List<Double> cwndPackets,
      List<LimitTimes> limits) {}

  /** What kept {@code line}'s flow from sending more in the steps within an interval. */
  public LimitTimes limits(Line line, long fromMicros, long toMicros) {
    LimitTimes sum = LimitTimes.NONE;
    for (int i = 0; i < seconds.size(); i++) {
      long endMicros = Math.round(seconds.get(i) * 1e6);
      if (endMicros > fromMicros && endMicros <= toMicros) {
        sum = sum.plus(line.limits().get(i));
      }
    }
    return sum;
  }

  /** Whether every check holds. */
  public boolean holds() {
    return results.stream().allMatch(Result::holds);
  }
}
