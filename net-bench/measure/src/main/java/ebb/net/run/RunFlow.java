package ebb.net.run;

import ebb.net.control.FlowCounts;
import ebb.net.flow.Column;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.FlowLook;
import ebb.net.flow.Limits;
import java.util.Optional;

/** One of the client's flows; it remembers the last interval. */
final class RunFlow {
  final int stream;
  final boolean sending;
  final FlowEnd end;
  private FlowCounts lastCounts = FlowCounts.NONE;
  private long lastArrivedBytes;
  private FlowFigures last = FlowFigures.NONE;
  private Optional<FlowFigures> remembered = Optional.empty();

  RunFlow(int stream, boolean sending, FlowEnd end) {
    this.stream = stream;
    this.sending = sending;
    this.end = end;
  }

  /** The first interval begins now. */
  void begin() {
    lastCounts = end.tally().counts();
    lastArrivedBytes = sending ? 0 : lastCounts.bytes();
  }

  /** For the last interval: a connection that has ended says nothing any more. */
  void remember(Optional<FlowFigures> figures) {
    remembered = figures;
  }

  /**
   * The interval since this was last called.
   *
   * @param look at its end
   * @param micros its length
   * @param arrivedBytes of it
   */
  FlowSample sample(FlowLook look, long micros, long arrivedBytes) {
    FlowCounts counts = look.counts();
    FlowCounts interval = counts.since(lastCounts);
    lastCounts = counts;
    Optional<FlowFigures> known = look.figures().or(() -> remembered);
    FlowFigures now = known.orElse(FlowFigures.NONE);
    Limits limits =
        sending && now.limits().isKnown()
            ? now.limits().since(last.limits(), micros, now.otherwise())
            : Limits.NONE;
    FlowSample sample =
        new FlowSample(stream, sending, interval, arrivedBytes, micros, now.since(last), limits);
    lastArrivedBytes += arrivedBytes;
    last = known.orElse(last);
    return sample;
  }

  /** Of what has arrived, what did since the last interval. */
  long arrivedSince(long allBytes) {
    return Math.max(0, allBytes - lastArrivedBytes);
  }

  /** All bytes that are known to have come, at a look that was taken just now. */
  long arrived(FlowLook look) {
    long bytes = look.counts().bytes();
    boolean hasAll = end.ended().isDone() && !end.ended().isCompletedExceptionally();
    if (hasAll) {
      return bytes;
    }
    if (!sending) {
      return look.cameBytes();
    }
    Long acked = look.figures().or(() -> remembered).orElse(last).values().get(Column.ACKED);
    return acked == null ? bytes : Math.min(acked, bytes);
  }
}
