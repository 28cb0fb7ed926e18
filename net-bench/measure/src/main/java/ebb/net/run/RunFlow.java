package ebb.net.run;

import ebb.net.control.FlowCounts;
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
  private FlowFigures last = FlowFigures.NONE;
  private Optional<FlowFigures> remembered = Optional.empty();

  RunFlow(int stream, boolean sending, FlowEnd end) {
    this.stream = stream;
    this.sending = sending;
    this.end = end;
  }

  /** Nothing from a busy loop, or one that has ended; never fails. */
  CompletableFuture<Optional<FlowFigures>> ask() {
    return end.figures()
        .completeOnTimeout(Optional.empty(), ANSWER_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(ended -> Optional.empty());
  }

  /** For the last interval: a connection that has ended says nothing any more. */
  void remember(Optional<FlowFigures> figures) {
    remembered = figures;
  }

  /**
   * The interval since this was last called.
   *
   * @param counts at its end
   * @param intervalMicros its length
   */
  FlowSample sample(FlowCounts counts, Optional<FlowFigures> latest, long intervalMicros) {
    FlowCounts interval = counts.since(lastCounts);
    lastCounts = counts;
    Optional<FlowFigures> known = latest.or(() -> remembered);
    FlowFigures now = known.orElse(FlowFigures.NONE);
    Limits limits =
        sending && now.limits().isKnown()
            ? now.limits().since(last.limits(), intervalMicros, now.otherwise())
            : Limits.NONE;
    FlowSample sample = new FlowSample(stream, sending, interval, now.since(last), limits);
    last = known.orElse(last);
    return sample;
  }
}
