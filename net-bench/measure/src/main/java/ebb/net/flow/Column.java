package ebb.net.flow;

import org.jspecify.annotations.Nullable;

/**
 * A quantity that a flow tells of itself: its key in rows and how people see it. Made by {@link
 * #gauge} or {@link #counter}. Immutable.
 *
 * @param key in the rows of a result; ends in the unit
 * @param unit of the values
 * @param growing whether values are sums since the flow began, of which an interval has a part
 * @param heading of the column of text; empty when it is not told there
 * @param chart the title of the panel of the plot, without the unit; empty when it is not drawn
 * @param reference drawn as a dashed line in the same panel while it does not move; null for none
 */
public record Column(
    String key,
    Unit unit,
    boolean growing,
    String heading,
    String chart,
    @Nullable Column reference) {

  /** Of what a value is. */
  public enum Unit {
    COUNT,
    BYTES,
    MICROS,
    /**
     * Microseconds with an unknown offset between two clocks: only how they move means something.
     */
    OFFSET_MICROS
  }

  /** Segments or packets sent again. */
  public static final Column RETRANSMITTED =
      counter("retransmitted", Unit.COUNT).withHeading("Retr");

  /**
   * Bytes that the peer acknowledged: what is sent and not yet is in this end's buffers, or under
   * way.
   */
  public static final Column ACKED = counter("acked_bytes", Unit.BYTES);

  /**
   * Bytes that came here, also those that nobody has read yet, and those that wait behind a hole.
   */
  public static final Column RECEIVED = counter("came_bytes", Unit.BYTES);

  /** A sender's congestion window. */
  public static final Column CWND =
      gauge("cwnd_bytes", Unit.BYTES).withHeading("Cwnd").withChart("cwnd");

  /** A sender's smoothed round trip. */
  public static final Column RTT =
      gauge("rtt_micros", Unit.MICROS).withChart("Round trip, smoothed");

  /** A state: told as it is at the end of an interval. */
  public static Column gauge(String key, Unit unit) {
    return new Column(key, unit, false, "", "", null);
  }

  /** A sum since the flow began. */
  public static Column counter(String key, Unit unit) {
    return new Column(key, unit, true, "", "", null);
  }

  /** Told to people in the line of each interval. */
  public Column withHeading(String words) {
    return new Column(key, unit, growing, words, chart, reference);
  }

  /** Drawn over time. */
  public Column withChart(String title) {
    return new Column(key, unit, growing, heading, title, reference);
  }

  /** Drawn with a dashed line where the other is. */
  public Column withReference(Column other) {
    return new Column(key, unit, growing, heading, chart, other);
  }
}
