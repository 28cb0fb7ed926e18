package ebb.net.ledbat;

import ebb.ledbat.connection.ConnectionStats;
import ebb.ledbat.connection.LimitTimes;
import ebb.ledbat.connection.SendLimit;
import ebb.net.flow.Column;
import ebb.net.flow.Column.Unit;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a LEDBAT connection tells of itself. */
public final class LedbatColumns {
  /** The controller's TARGET; some move theirs. */
  public static final Column TARGET =
      Column.gauge("target_micros", Unit.MICROS).withChart("TARGET");

  /** Above the controller's base delay. */
  public static final Column QUEUING_DELAY =
      Column.gauge("queuing_delay_micros", Unit.MICROS)
          .withHeading("QDelay")
          .withChart("Queuing delay")
          .withReference(TARGET);

  /** One-way, with the offset between the clocks. */
  public static final Column BASE_DELAY =
      Column.gauge("base_delay_micros", Unit.OFFSET_MICROS)
          .withHeading("Base")
          .withChart("Base delay");

  /** The smallest round trip so far. */
  public static final Column MIN_RTT = Column.gauge("min_rtt_micros", Unit.MICROS);

  static final List<Column> ALL =
      List.of(
          Column.RETRANSMITTED,
          Column.CWND,
          Column.RTT,
          Column.ACKED,
          QUEUING_DELAY,
          BASE_DELAY,
          TARGET,
          MIN_RTT);

  private LedbatColumns() {}

  /** Now, of an end that sends data. */
  static FlowFigures ofSender(ConnectionStats stats) {
    return new FlowFigures(sent(stats), limits(stats.limits()), null);
  }

  /**
   * Now, of an end that only takes data: where it has a controller for that, the figures are this
   * controller's. Otherwise there are none, for nothing that it sends is measured.
   *
   * @param readBytes of messages, in order
   */
  static FlowFigures ofReceiver(ConnectionStats stats, long readBytes) {
    boolean controlled = stats.incoming().isControlled();
    Map<Column, Long> values = controlled ? seen(stats.incoming()) : new LinkedHashMap<>();
    values.put(Column.RECEIVED, readBytes + stats.bytes().waiting());
    return new FlowFigures(values, Limits.NONE, null);
  }

  private static Map<Column, Long> seen(ConnectionStats.Incoming incoming) {
    Map<Column, Long> values = new LinkedHashMap<>();
    values.put(Column.CWND, incoming.windowBytes());
    values.put(Column.RTT, incoming.smoothedRttMicros());
    values.put(QUEUING_DELAY, incoming.queuingMicros());
    values.put(BASE_DELAY, incoming.baseDelayMicros());
    putKnown(values, TARGET, incoming.targetMicros());
    putKnown(values, MIN_RTT, incoming.minRttMicros());
    return values;
  }

  private static Map<Column, Long> sent(ConnectionStats stats) {
    Map<Column, Long> values = new LinkedHashMap<>();
    values.put(Column.RETRANSMITTED, stats.packetsRetransmitted());
    values.put(Column.ACKED, stats.bytesAcked());
    values.put(Column.CWND, stats.cwndBytes());
    values.put(Column.RTT, stats.smoothedRttMicros());
    values.put(QUEUING_DELAY, stats.queuingDelayMicros());
    values.put(BASE_DELAY, stats.baseDelayMicros());
    putKnown(values, TARGET, stats.targetDelayMicros());
    putKnown(values, MIN_RTT, stats.minRttMicros());
    return values;
  }

  private static void putKnown(Map<Column, Long> values, Column column, long micros) {
    if (micros > 0) {
      values.put(column, micros);
    }
  }

  private static Limits limits(LimitTimes times) {
    Map<String, Long> micros = new LinkedHashMap<>();
    for (SendLimit limit : SendLimit.values()) {
      micros.put(limit.text(), times.micros(limit));
    }
    return new Limits(micros);
  }
}
