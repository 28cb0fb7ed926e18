package ebb.net.control;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What one end has counted of one flow, or of several together, since they began. Immutable.
 *
 * @param bytes of messages
 * @param messages whole ones
 * @param lost datagrams missing before the latest that came
 * @param duplicates that came again, and were counted nowhere else
 * @param outOfOrder that came after a later one
 * @param corrupt whose bytes were not those that were sent
 * @param retransmitted messages sent again, by stop-and-wait over UDP
 * @param jitterMicros RFC 3550's interarrival jitter as it is now
 * @param oneWay of datagrams, on two clocks
 */
public record FlowCounts(
    long bytes,
    long messages,
    long lost,
    long duplicates,
    long outOfOrder,
    long corrupt,
    long retransmitted,
    long jitterMicros,
    OneWay oneWay) {
  public static final FlowCounts NONE = new FlowCounts(0, 0, 0, 0, 0, 0, 0, 0, OneWay.NONE);

  static final int BYTES = 8 * 8 + OneWay.BYTES;

  /** Checks that nothing is below zero. */
  public FlowCounts {
    if ((bytes | messages | lost | duplicates | outOfOrder | corrupt | retransmitted | jitterMicros)
        < 0) {
      throw new IllegalArgumentException("counts below zero");
    }
  }

  /** The same of another amount. */
  public FlowCounts of(long otherBytes, long otherMessages) {
    return new FlowCounts(
        otherBytes,
        otherMessages,
        lost,
        duplicates,
        outOfOrder,
        corrupt,
        retransmitted,
        jitterMicros,
        oneWay);
  }

  void write(ByteBuffer out) {
    out.putLong(bytes).putLong(messages).putLong(lost).putLong(duplicates).putLong(outOfOrder);
    out.putLong(corrupt).putLong(retransmitted).putLong(jitterMicros);
    oneWay.write(out);
  }

  static FlowCounts read(ByteBuffer in) {
    return new FlowCounts(
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        OneWay.read(in));
  }

  /** Several flows together: sums, and the mean jitter. */
  public static FlowCounts sum(List<FlowCounts> flows) {
    FlowCounts sum = NONE;
    for (FlowCounts flow : flows) {
      sum =
          new FlowCounts(
              sum.bytes + flow.bytes,
              sum.messages + flow.messages,
              sum.lost + flow.lost,
              sum.duplicates + flow.duplicates,
              sum.outOfOrder + flow.outOfOrder,
              sum.corrupt + flow.corrupt,
              sum.retransmitted + flow.retransmitted,
              sum.jitterMicros + flow.jitterMicros / flows.size(),
              sum.oneWay.with(flow.oneWay));
    }
    return sum;
  }

  /**
   * What came after an earlier state; jitter and one-way times are the present ones. A datagram
   * that was missing then and has come since makes the losses of the interval fewer, but never
   * fewer than none.
   */
  public FlowCounts since(FlowCounts earlier) {
    return new FlowCounts(
        Math.max(0, bytes - earlier.bytes),
        Math.max(0, messages - earlier.messages),
        Math.max(0, lost - earlier.lost),
        Math.max(0, duplicates - earlier.duplicates),
        Math.max(0, outOfOrder - earlier.outOfOrder),
        Math.max(0, corrupt - earlier.corrupt),
        Math.max(0, retransmitted - earlier.retransmitted),
        jitterMicros,
        oneWay);
  }
}
