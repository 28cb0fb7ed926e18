package ebb.testkit.file;

import ebb.testkit.link.Link;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Flow;
import ebb.testkit.scenario.Scenario;
import java.util.List;

/**
 * One figure of a scenario and the bounds it must keep. Times are virtual microseconds.
 *
 * @param figure what is measured
 * @param flow whose, by name; "" for figures of the link or of all flows
 * @param fromMicros begin of the interval
 * @param toMicros its end
 * @param percent for {@link Figure#QUEUE}: the percentile
 * @param portion for {@link Figure#RECOVERY}: the part of the link to be reached
 * @param atLeast lower bound, in microseconds for delays and times, else a ratio
 * @param atMost upper bound
 */
public record Check(
    Figure figure,
    String flow,
    long fromMicros,
    long toMicros,
    double percent,
    double portion,
    double atLeast,
    double atMost) {

  private static final long RECOVERY_WINDOW_MICROS = 500_000;

  /** What can be measured. */
  public enum Figure {
    /** Part of the link's capacity that was used. */
    UTILISATION(false, false),
    /** A percentile of the time that packets waited. */
    QUEUE(true, false),
    /** A flow's part of what the link carried. */
    SHARE(false, true),
    /** Jain's index over all flows. */
    JAIN(false, false),
    /** How long a flow takes to carry a portion of the capacity, over windows of 0.5 s. */
    RECOVERY(true, true);

    private final boolean time;
    private final boolean ofFlow;

    Figure(boolean time, boolean ofFlow) {
      this.time = time;
      this.ofFlow = ofFlow;
    }

    /** Whether it is in microseconds. */
    public boolean isTime() {
      return time;
    }

    /** Whether it belongs to one flow. */
    public boolean isOfFlow() {
      return ofFlow;
    }
  }

  /** The figure in a scenario that has run; infinite for a recovery that did not come. */
  double measure(Scenario scenario) {
    Link link = scenario.bottleneck();
    return switch (figure) {
      case UTILISATION -> Checks.utilisation(link, fromMicros, toMicros);
      case QUEUE -> Checks.queueMicros(link, percent, fromMicros, toMicros);
      case SHARE -> Checks.share(link, find(scenario.flows()), fromMicros, toMicros);
      case JAIN -> Checks.jainIndex(link, scenario.flows(), fromMicros, toMicros);
      case RECOVERY -> {
        long micros =
            Checks.recoveryMicros(
                link,
                find(scenario.flows()),
                portion,
                RECOVERY_WINDOW_MICROS,
                fromMicros,
                toMicros);
        yield micros < 0 ? Double.POSITIVE_INFINITY : micros;
      }
    };
  }

  /** Whether {@code value} keeps the bounds; what could not be measured does not. */
  boolean holds(double value) {
    return value >= atLeast && value <= atMost;
  }

  private Flow find(List<Flow> flows) {
    for (Flow candidate : flows) {
      if (candidate.name().equals(flow)) {
        return candidate;
      }
    }
    throw new IllegalStateException("the parser has let through a flow that is none: " + flow);
  }
}
