package ebb.testkit.file;

import ebb.testkit.link.LinkSpec;
import ebb.testkit.scenario.LedbatFlowSpec;
import ebb.testkit.scenario.TcpFlowSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A scenario as its file describes it (docs/testkit.md). Times are virtual microseconds.
 *
 * @param name by which it is called
 * @param title one line for people
 * @param seed of the first run
 * @param runs how many runs with consecutive seeds are judged, each by itself
 * @param endMicros when the simulation ends
 * @param sendJitterMicros see {@code Scenario.withSendJitter}
 * @param flows in the order of the file
 */
public record ScenarioFile(
    String name,
    String title,
    long seed,
    int runs,
    long endMicros,
    LinkSpec forward,
    LinkSpec backward,
    long sendJitterMicros,
    List<FlowEntry> flows,
    List<Check> checks) {

  /**
   * One flow: exactly one of the two is there.
   *
   * @param controllers by time, the controllers that follow the first
   */
  public record FlowEntry(
      @Nullable LedbatFlowSpec ledbat, @Nullable TcpFlowSpec tcp, Map<Long, String> controllers) {
    /** The name of either. */
    public String name() {
      return ledbat != null ? ledbat.name() : tcp != null ? tcp.name() : "";
    }
  }

  /**
   * About how many bits all runs carry, which is what simulating them costs. A flow that a check
   * compares with itself alone runs once more.
   */
  public double simulatedBits() {
    long alone =
        checks.stream()
            .filter(check -> check.figure() == Check.Figure.KEPT)
            .map(Check::flow)
            .distinct()
            .count();
    return 8 * forward.capacityBytes(0, endMicros) * runs * (1 + alone);
  }

  /** The same with another first seed. */
  public ScenarioFile withSeed(long value) {
    return new ScenarioFile(
        name, title, value, runs, endMicros, forward, backward, sendJitterMicros, flows, checks);
  }
}
