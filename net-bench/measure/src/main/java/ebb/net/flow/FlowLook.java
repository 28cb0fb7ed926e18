package ebb.net.flow;

import ebb.core.time.MicroClock;
import ebb.net.control.FlowCounts;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a flow had counted, and what its transport told, at one moment. Immutable.
 *
 * @param figures nothing from a busy loop, or from a flow that has ended
 * @param atMicros on the clock of whoever looked
 */
public record FlowLook(FlowCounts counts, Optional<FlowFigures> figures, long atMicros) {
  private static final long ANSWER_MILLIS = 200;

  /** Longer than it takes to ask the kernel about as many flows as there may be. */
  private static final long MOMENT_MICROS = 2_000;

  private static final int MAX_LOOKS = 5;

  /**
   * Looks at flows, in their order, on the threads that tell their figures, so that counts, figures
   * and clock are of one moment, however long this thread or those had to wait for a CPU: looks
   * that were apart are taken a few times more. Never fails.
   */
  public static CompletableFuture<List<FlowLook>> at(
      List<? extends FlowEnd> ends, MicroClock clock) {
    return at(ends, clock, MAX_LOOKS);
  }

  private static CompletableFuture<List<FlowLook>> at(
      List<? extends FlowEnd> ends, MicroClock clock, int looksLeft) {
    List<CompletableFuture<FlowLook>> asked = ends.stream().map(end -> at(end, clock)).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new))
        .thenApply(answered -> asked.stream().map(CompletableFuture::join).toList())
        .thenCompose(
            looks ->
                looksLeft <= 1 || apartMicros(looks) < MOMENT_MICROS
                    ? CompletableFuture.completedFuture(looks)
                    : at(ends, clock, looksLeft - 1));
  }

  private static CompletableFuture<FlowLook> at(FlowEnd end, MicroClock clock) {
    return end.figures()
        .completeOnTimeout(Optional.empty(), ANSWER_MILLIS, TimeUnit.MILLISECONDS)
        .exceptionally(ended -> Optional.empty())
        .thenApply(
            told -> {
              long at = clock.nowMicros();
              return new FlowLook(end.tally().counts(), told, at);
            });
  }

  /**
   * The moment that several stand for, which is their mean: a thread that lost its CPU before the
   * last of many flows makes the interval of that one longer, not of all. {@link Long#MIN_VALUE} of
   * none.
   */
  public static long momentMicros(List<FlowLook> looks) {
    if (looks.isEmpty()) {
      return Long.MIN_VALUE;
    }
    long first = looks.get(0).atMicros;
    long sinceMicros = looks.stream().mapToLong(look -> look.atMicros - first).sum();
    return first + sinceMicros / looks.size();
  }

  private static long apartMicros(List<FlowLook> looks) {
    LongSummaryStatistics at = looks.stream().mapToLong(FlowLook::atMicros).summaryStatistics();
    return looks.isEmpty() ? 0 : at.getMax() - at.getMin();
  }

  /**
   * All bytes that have come, of a receiver: what waits in the kernel or behind a hole has come
   * too, however late this process is.
   */
  public long cameBytes() {
    long told = figures.map(known -> known.values().getOrDefault(Column.RECEIVED, 0L)).orElse(0L);
    return Math.max(told, counts.bytes());
  }
}
