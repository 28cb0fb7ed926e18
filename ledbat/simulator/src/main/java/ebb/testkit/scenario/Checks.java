package ebb.testkit.scenario;

import ebb.testkit.link.ByteSeries;
import ebb.testkit.link.Link;
import java.util.Collection;

/**
 * Figures over what a scenario's flows did to a link, in [from, to) of virtual time. Shares and
 * utilisation count IP bytes that the link carried, whoever resent them.
 */
public final class Checks {
  private Checks() {}

  /** Share of the link's capacity that was used. */
  public static double utilisation(Link link, long fromMicros, long toMicros) {
    return link.utilisation(fromMicros, toMicros);
  }

  /** Share of the bytes carried that were this flow's. */
  public static double share(Link link, Flow flow, long fromMicros, long toMicros) {
    return link.stats().transmitted(flow.number()).sum(fromMicros, toMicros)
        / link.stats().transmittedBytes(fromMicros, toMicros);
  }

  /** Share of the link's capacity that this flow used. */
  public static double useOfLink(Link link, Flow flow, long fromMicros, long toMicros) {
    return link.stats().transmitted(flow.number()).sum(fromMicros, toMicros)
        / link.capacityBytes(fromMicros, toMicros);
  }

  /** The queuing delay, in microseconds, that {@code percent} of the packets stayed below. */
  public static double queueMicros(Link link, double percent, long fromMicros, long toMicros) {
    return link.stats().queueDelays().percentile(percent, fromMicros, toMicros);
  }

  /** Jain's index of the flows' rates: 1 when all are equal, 1/n when one has everything. */
  public static double jainIndex(
      Link link, Collection<? extends Flow> flows, long fromMicros, long toMicros) {
    double sum = 0;
    double squares = 0;
    for (Flow flow : flows) {
      double bytes = link.stats().transmitted(flow.number()).sum(fromMicros, toMicros);
      sum += bytes;
      squares += bytes * bytes;
    }
    return squares == 0 ? Double.NaN : sum * sum / (flows.size() * squares);
  }

  /** What the flow with the least carried, of an equal part of what all carried. */
  public static double smallestPart(
      Link link, Collection<? extends Flow> flows, long fromMicros, long toMicros) {
    double sum = 0;
    double least = Double.POSITIVE_INFINITY;
    for (Flow flow : flows) {
      double bytes = link.stats().transmitted(flow.number()).sum(fromMicros, toMicros);
      sum += bytes;
      least = Math.min(least, bytes);
    }
    return sum == 0 ? Double.NaN : least * flows.size() / sum;
  }

  /**
   * Share of the bytes that the flow put on the path, that it had sent before. Both times must have
   * been {@linkplain Scenario#mark marked}.
   */
  public static double resentShare(Scenario scenario, Flow flow, long fromMicros, long toMicros) {
    Scenario.Sent from = scenario.sentAt(fromMicros, flow);
    Scenario.Sent to = scenario.sentAt(toMicros, flow);
    return (to.resentBytes() - from.resentBytes())
        / (double) Math.max(1, to.bytes() - from.bytes());
  }

  /**
   * How long after {@code fromMicros} the flow carries {@code portion} of the capacity over a whole
   * {@code windowMicros}; the time is that window's start, so a flow that never lost its rate has
   * 0.
   *
   * @return -1 when it does not until {@code toMicros}
   */
  public static long recoveryMicros(
      Link link, Flow flow, double portion, long windowMicros, long fromMicros, long toMicros) {
    for (long at = fromMicros; at + windowMicros <= toMicros; at += ByteSeries.BIN_MICROS) {
      if (useOfLink(link, flow, at, at + windowMicros) >= portion) {
        return at - fromMicros;
      }
    }
    return -1;
  }

  /** Share of what the flow sent through the link that was dropped or lost there. */
  public static double lossShare(Link link, Flow flow, long fromMicros, long toMicros) {
    double dropped = link.stats().droppedBytes(flow.number()).sum(fromMicros, toMicros);
    double lost = link.stats().lostBytes(flow.number()).sum(fromMicros, toMicros);
    double carried = link.stats().transmitted(flow.number()).sum(fromMicros, toMicros);
    return carried + dropped == 0 ? 0 : (dropped + lost) / (carried + dropped);
  }

  /**
   * How long after {@code fromMicros} Jain's index of all flows reaches {@code index} in a window.
   *
   * @return -1 when it does not until {@code toMicros}
   */
  public static long sharingMicros(
      Link link,
      Collection<? extends Flow> flows,
      double index,
      long windowMicros,
      long fromMicros,
      long toMicros) {
    for (long at = fromMicros; at + windowMicros <= toMicros; at += 10 * ByteSeries.BIN_MICROS) {
      if (jainIndex(link, flows, at, at + windowMicros) >= index) {
        return at - fromMicros;
      }
    }
    return -1;
  }
}
