package ebb.testkit.tcp;

import ebb.testkit.link.ByteSeries;
import ebb.testkit.link.Path;
import ebb.testkit.sim.Simulation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The receiving half of the model: reordering, cumulative and selective acknowledgements. */
final class TcpReceiver {
  private static final int MAX_BLOCKS = 3;
  private static final long DELAYED_ACK_MICROS = 40_000;

  private final Simulation sim;
  private final Path<TcpSegment> path;
  private final int flow;
  private final int segmentPayloadBytes;
  private final boolean delayedAcks;
  private final ByteSeries goodput;

  /** Blocks above {@link #expected} by start: end, exclusive. */
  private final TreeMap<Long, Long> blocks = new TreeMap<>();

  /** Starts of blocks, the latest changed first. */
  private final ArrayDeque<Long> recent = new ArrayDeque<>();

  private long expected;
  private int unacknowledged;
  private long delayedAckNumber;

  TcpReceiver(
      Simulation sim,
      Path<TcpSegment> path,
      int flow,
      int segmentPayloadBytes,
      boolean delayedAcks,
      ByteSeries goodput) {
    this.sim = sim;
    this.path = path;
    this.flow = flow;
    this.segmentPayloadBytes = segmentPayloadBytes;
    this.delayedAcks = delayedAcks;
    this.goodput = goodput;
  }

  void onSegment(TcpSegment segment) {
    boolean inOrder = segment.seq == expected;
    if (inOrder) {
      long before = expected;
      expected++;
      Map.Entry<Long, Long> first = blocks.firstEntry();
      if (first != null && first.getKey() == expected) {
        expected = first.getValue();
        blocks.pollFirstEntry();
        recent.remove(first.getKey());
      }
      goodput.add(sim.nowMicros(), (expected - before) * segmentPayloadBytes);
    } else if (segment.seq > expected) {
      insert(segment.seq);
    }
    // RFC 5681, 4.2: every second full segment, and at once when there is or was a hole.
    unacknowledged++;
    if (!delayedAcks || !inOrder || !blocks.isEmpty() || unacknowledged >= 2) {
      acknowledge(segment.sentMicros);
    } else {
      long number = ++delayedAckNumber;
      sim.after(
          DELAYED_ACK_MICROS,
          () -> {
            if (number == delayedAckNumber && unacknowledged > 0) {
              acknowledge(segment.sentMicros);
            }
          });
    }
  }

  private void insert(long seq) {
    long start = seq;
    long end = seq + 1;
    Map.Entry<Long, Long> below = blocks.floorEntry(seq);
    if (below != null && below.getValue() > seq) {
      start = below.getKey();
      end = below.getValue();
    } else {
      if (below != null && below.getValue() == seq) {
        start = below.getKey();
      }
      Long aboveEnd = blocks.remove(seq + 1);
      if (aboveEnd != null) {
        recent.remove(seq + 1);
        end = aboveEnd;
      }
      blocks.put(start, end);
    }
    recent.remove(start);
    recent.addFirst(start);
  }

  private void acknowledge(long echoMicros) {
    unacknowledged = 0;
    delayedAckNumber++;
    List<Long> edges = new ArrayList<>();
    Iterator<Long> starts = recent.iterator();
    while (starts.hasNext() && edges.size() < 2 * MAX_BLOCKS) {
      long start = starts.next();
      edges.add(start);
      Long end = blocks.get(start);
      if (end == null) {
        throw new IllegalStateException("no block at " + start);
      }
      edges.add(end);
    }
    long[] sacks =
        edges.isEmpty() ? TcpSegment.NO_SACKS : edges.stream().mapToLong(Long::longValue).toArray();
    path.send(TcpSegment.acknowledgement(flow, expected, sacks, sim.nowMicros(), echoMicros));
  }
}
