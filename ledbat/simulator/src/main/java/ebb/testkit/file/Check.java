package ebb.testkit.file;

import ebb.testkit.link.Link;
import ebb.testkit.scenario.Checks;
import ebb.testkit.scenario.Flow;
import ebb.testkit.scenario.Scenario;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One figure of a scenario and the bounds it must keep. Times are virtual microseconds.
 *
 * @param figure what is measured
 * @param flow whose, by name; "" for figures of the link or of all flows
 * @param fromMicros begin of the interval
 * @param toMicros its end
 * @param percent for {@link Figure#QUEUE}: the percentile
 * @param portion for {@link Figure#RECOVERY}: the part of the link to be reached; for {@link
 *     Figure#SHARING}: Jain's index
 * @param atLeast lower bound, in microseconds for delays and times, in bits a second for rates,
 *     else a ratio
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
  private static final long SHARING_WINDOW_MICROS = 1_000_000;

  /** What can be measured. */
  public enum Figure {
    /** Part of the link's capacity that was used. */
    UTILISATION(Unit.RATIO, false),
    /** A percentile of the time that packets waited. */
    QUEUE(Unit.TIME, false),
    /** A flow's part of what the link carried. */
    SHARE(Unit.RATIO, true),
    /** Jain's index over all flows. */
    JAIN(Unit.RATIO, false),
    /** How long a flow takes to carry a portion of the capacity, over windows of 0.5 s. */
    RECOVERY(Unit.TIME, true),
    /** Payload of a flow that arrived in order. */
    GOODPUT(Unit.RATE, true),
    /** Part of what a flow put on the path that it had sent before. */
    RESENT(Unit.RATIO, true),
    /** Part of what a flow sent that the bottleneck dropped or lost. */
    LOSS(Unit.RATIO, true),
    /** What a flow carried, of what it carries when it is the only one. */
    KEPT(Unit.RATIO, true),
    /** How long until Jain's index over all flows, in windows of 1 s, reaches a portion. */
    SHARING(Unit.TIME, false);

    private final Unit unit;
    private final boolean ofFlow;

    Figure(Unit unit, boolean ofFlow) {
      this.unit = unit;
      this.ofFlow = ofFlow;
    }

    /** What it is measured in. */
    public Unit unit() {
      return unit;
    }

    /** Whether it belongs to one flow. */
    public boolean isOfFlow() {
      return ofFlow;
    }

    /** As files and records call it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a figure is measured in. */
  public enum Unit {
    RATIO,
    /** Microseconds. */
    TIME,
    /** Bits a second. */
    RATE
  }

  /** The times at which {@link #measure} wants the scenario to be marked. */
  List<Long> marks() {
    return figure == Figure.RESENT ? List.of(fromMicros, toMicros) : List.of();
  }

  /**
   * The figure in a scenario that has run; infinite for a recovery that did not come.
   *
   * @param alone the same scenario with the flow alone; asked for {@link Figure#KEPT} only
   */
  double measure(Scenario scenario, Supplier<Scenario> alone) {
    Link link = scenario.bottleneck();
    List<Flow> all = scenario.flows();
    return switch (figure) {
      case UTILISATION -> Checks.utilisation(link, fromMicros, toMicros);
      case QUEUE -> Checks.queueMicros(link, percent, fromMicros, toMicros);
      case SHARE -> Checks.share(link, find(all), fromMicros, toMicros);
      case JAIN -> Checks.jainIndex(link, all, fromMicros, toMicros);
      case RECOVERY ->
          orNever(
              Checks.recoveryMicros(
                  link, find(all), portion, RECOVERY_WINDOW_MICROS, fromMicros, toMicros));
      case GOODPUT -> find(all).goodput().bitsPerSecond(fromMicros, toMicros);
      case RESENT -> Checks.resentShare(scenario, find(all), fromMicros, toMicros);
      case LOSS -> Checks.lossShare(link, find(all), fromMicros, toMicros);
      case KEPT -> {
        Scenario only = alone.get();
        yield Checks.useOfLink(link, find(all), fromMicros, toMicros)
            / Checks.useOfLink(only.bottleneck(), find(only.flows()), fromMicros, toMicros);
      }
      case SHARING ->
          orNever(
              Checks.sharingMicros(
                  link, all, portion, SHARING_WINDOW_MICROS, fromMicros, toMicros));
    };
  }

  private static double orNever(long micros) {
    return micros < 0 ? Double.POSITIVE_INFINITY : micros;
  }

  /** By how much {@code value} keeps the bounds; negative when it does not. */
  double margin(double value) {
    return Double.isNaN(value)
        ? Double.NEGATIVE_INFINITY
        : Math.min(value - atLeast, atMost - value);
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
