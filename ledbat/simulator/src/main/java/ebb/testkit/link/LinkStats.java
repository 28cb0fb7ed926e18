package ebb.testkit.link;

import java.util.HashMap;
import java.util.Map;

/** What one link did. Times are virtual microseconds; bytes include the IP header. */
public final class LinkStats {
  private final Map<Integer, ByteSeries> transmitted = new HashMap<>();
  private final Map<Integer, Long> dropped = new HashMap<>();
  private final Map<Integer, Long> lost = new HashMap<>();
  private final Map<Integer, ByteSeries> droppedBytes = new HashMap<>();
  private final Map<Integer, ByteSeries> lostBytes = new HashMap<>();
  private final ByteSeries all = new ByteSeries();
  private final TimedSamples queueDelays = new TimedSamples();
  long droppedMtu;
  long duplicated;
  long reordered;

  LinkStats() {}

  /** How long each packet waited, by when it left the queue. */
  public TimedSamples queueDelays() {
    return queueDelays;
  }

  /** Bytes that the link carried in [{@code from}, {@code to}), all flows. */
  public double transmittedBytes(long fromMicros, long toMicros) {
    return all.sum(fromMicros, toMicros);
  }

  /** Bytes of one flow that the link carried, lost ones on the wire included. */
  public ByteSeries transmitted(int flow) {
    return transmitted.computeIfAbsent(flow, unused -> new ByteSeries());
  }

  /** Bytes of one flow that the queue or a policer dropped. */
  public ByteSeries droppedBytes(int flow) {
    return droppedBytes.computeIfAbsent(flow, unused -> new ByteSeries());
  }

  /** Bytes of one flow that were lost on the wire. */
  public ByteSeries lostBytes(int flow) {
    return lostBytes.computeIfAbsent(flow, unused -> new ByteSeries());
  }

  /** Packets of one flow that the queue or a policer dropped. */
  public long dropped(int flow) {
    return dropped.getOrDefault(flow, 0L);
  }

  /** Packets of one flow that were lost on the wire. */
  public long lost(int flow) {
    return lost.getOrDefault(flow, 0L);
  }

  /** Packets that the queue or a policer dropped. */
  public long droppedTotal() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Packets lost on the wire. */
  public long lostTotal() {
    return lost.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Packets above the MTU with "don't fragment". */
  public long droppedMtu() {
    return droppedMtu;
  }

  public long duplicated() {
    return duplicated;
  }

  public long reordered() {
    return reordered;
  }

  void countStarted(long nowMicros, long waitedMicros) {
    queueDelays.add(nowMicros, waitedMicros);
  }

  void countTransmitted(int flow, long nowMicros, int bytes) {
    all.add(nowMicros, bytes);
    transmitted(flow).add(nowMicros, bytes);
  }

  void countDropped(int flow, long nowMicros, int bytes) {
    droppedBytes(flow).add(nowMicros, bytes);
    dropped.merge(flow, 1L, Long::sum);
  }

  void countLost(int flow, long nowMicros, int bytes) {
    lostBytes(flow).add(nowMicros, bytes);
    lost.merge(flow, 1L, Long::sum);
  }
}
