package ebb.net.run;

import ebb.core.time.MicroClock;
import ebb.net.control.FlowCounts;
import ebb.net.flow.Column;
import ebb.net.flow.FlowEnd;
import ebb.net.flow.FlowFigures;
import ebb.net.flow.Limits;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One of the client's flows; it remembers the last interval. */
final class RunFlow {
  private static final long ANSWER_MILLIS = 200;

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

  /**
   * Looks at it on the thread that tells its figures, so that counts, figures and clock are of one
   * moment, however long this thread or that one had to wait for a CPU; never fails.
   */
  CompletableFuture<FlowLook> look(MicroClock clock) {
    return end.figures()
        .completeOnTimeout(Optional.empty(), ANSWER_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(ended -> Optional.empty())
        .thenApply(
            told -> {
              long at = clock.nowMicros();
              return new FlowLook(end.tally().counts(), told, at);
            });
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
   * @param intervalMicros its length
   */
  FlowSample sample(FlowLook look, long intervalMicros) {
    FlowCounts counts = look.counts();
    Optional<FlowFigures> latest = look.figures();
    FlowCounts interval = counts.since(lastCounts);
    lastCounts = counts;
    Optional<FlowFigures> known = latest.or(() -> remembered);
    FlowFigures now = known.orElse(FlowFigures.NONE);
    Limits limits =
        sending && now.limits().isKnown()
            ? now.limits().since(last.limits(), intervalMicros, now.otherwise())
            : Limits.NONE;
    long arrived = Math.max(lastArrivedBytes, arrived(counts, latest));
    FlowSample sample =
        new FlowSample(
            stream, sending, interval, arrived - lastArrivedBytes, now.since(last), limits);
    lastArrivedBytes = arrived;
    last = known.orElse(last);
    return sample;
  }

  /** All bytes that are known to have come, so far. */
  private long arrived(FlowCounts counts, Optional<FlowFigures> latest) {
    boolean hasAll = end.ended().isDone() && !end.ended().isCompletedExceptionally();
    if (hasAll) {
      return counts.bytes();
    }
    if (!sending) {
      // What waits in the kernel or behind a hole has arrived too, however late this process is.
      Long received = latest.map(told -> told.values().get(Column.RECEIVED)).orElse(null);
      return received == null ? counts.bytes() : Math.max(received, counts.bytes());
    }
    Long acked = latest.or(() -> remembered).orElse(last).values().get(Column.ACKED);
    return acked == null ? counts.bytes() : Math.min(acked, counts.bytes());
  }
}
