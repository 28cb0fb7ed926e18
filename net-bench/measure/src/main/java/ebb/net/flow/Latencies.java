package ebb.net.flow;

import ebb.core.stats.LatencyHistogram;
import java.util.function.LongConsumer;

/**
 * The round trips of stop-and-wait: from when the message was sent, and from when the pace had
 * planned to send it. The second is what a user who did not wait would have seen. Thread-safe.
 */
public final class Latencies {
  private final LongConsumer listener;
  private LatencyHistogram sent = new LatencyHistogram();
  private LatencyHistogram planned = new LatencyHistogram();
  private LatencyHistogram interval = new LatencyHistogram();

  /**
   * None so far.
   *
   * @param listener hears of every round trip, on the flow's loop
   */
  public Latencies(LongConsumer listener) {
    this.listener = listener;
  }

  public Latencies() {
    this(micros -> {});
  }

  /** An acknowledgement came. */
  public void onRoundTrip(long sentMicros, long plannedMicros, long nowMicros) {
    long micros = Math.max(0, nowMicros - sentMicros);
    synchronized (this) {
      sent.recordMicros(micros);
      interval.recordMicros(micros);
      planned.recordMicros(Math.max(micros, nowMicros - plannedMicros));
    }
    listener.accept(micros);
  }

  /** Forgets everything: the warm-up is over. */
  public synchronized void reset() {
    sent = new LatencyHistogram();
    planned = new LatencyHistogram();
    interval = new LatencyHistogram();
  }

  /** From sending. */
  public synchronized LatencyHistogram fromSent() {
    return copy(sent);
  }

  /** From the plan; the same as {@link #fromSent} when there was no pace. */
  public synchronized LatencyHistogram fromPlanned() {
    return copy(planned);
  }

  /** From sending, since this was last asked. */
  public synchronized LatencyHistogram sinceLast() {
    LatencyHistogram since = interval;
    interval = new LatencyHistogram();
    return since;
  }

  private static LatencyHistogram copy(LatencyHistogram of) {
    LatencyHistogram copy = new LatencyHistogram();
    copy.add(of);
    return copy;
  }
}
