package ebb.selfbench.side;

import ebb.core.stats.LatencyHistogram;
import ebb.selfbench.process.Meter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Small messages at planned times and the time until each came back, counted from the planned time,
 * so that a late answer does not hide the wait of those behind it. Thread-safe.
 */
final class RoundTrips {
  static final int MESSAGE_BYTES = 100;

  private final Deque<Long> planned = new ArrayDeque<>();
  private LatencyHistogram histogram = new LatencyHistogram();

  /** Calls {@code send} at every planned time. */
  void start(int perSecond, Runnable send) {
    Ticker.start(
        perSecond,
        at -> {
          plan(at);
          send.run();
        });
  }

  private synchronized void plan(long atNanos) {
    planned.add(atNanos);
  }

  /** The oldest message that was out came back, or got where it should. */
  synchronized void returned() {
    Long at = planned.poll();
    if (at != null) {
      histogram.recordMicros(Math.max(0, (System.nanoTime() - at + 500) / 1_000));
    }
  }

  /** Makes the meter tell percentiles of what came back since the mark before. */
  void tell(Meter meter) {
    // In this order: the last one starts anew.
    meter
        .with("p50_micros", () -> percentile(50))
        .with("p99_micros", () -> percentile(99))
        .with("p99_9_micros", () -> percentile(99.9))
        .with("max_micros", () -> percentile(100))
        .with("round_trips", this::takeCount);
  }

  private synchronized long percentile(double percent) {
    return histogram.count() == 0 ? 0 : Math.round(histogram.percentileMicros(percent));
  }

  private synchronized long takeCount() {
    long count = histogram.count();
    histogram = new LatencyHistogram();
    return count;
  }
}
