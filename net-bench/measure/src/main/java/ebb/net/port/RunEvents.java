package ebb.net.port;

import ebb.net.run.NetPlan;
import ebb.net.run.RunOutcome;
import ebb.net.run.RunSample;
import java.util.function.LongConsumer;
import se.sics.kompics.KompicsEvent;

/**
 * What both ports speak: runs, samples and results, never packets. Every event names its run;
 * Kompics shows an indication to every component on the port, so a user ignores others' runs.
 */
public final class RunEvents {
  private RunEvents() {}

  /**
   * Asks for a run.
   *
   * @param runId the asker's, in no other run's use
   * @param onRoundTrip hears of each acknowledgement of stop-and-wait, in microseconds, on the
   *     flow's loop; must not block
   */
  public record StartRun(long runId, NetPlan plan, LongConsumer onRoundTrip)
      implements KompicsEvent {}

  /** The time of a run is over now, whatever its plan says. */
  public record FinishRun(long runId) implements KompicsEvent {}

  /** Ends a run with what there is, as incomplete. */
  public record StopRun(long runId) implements KompicsEvent {}

  /** An interval of a run is over. */
  public record Sampled(long runId, RunSample sample) implements KompicsEvent {}

  /** A run is over; the outcome says whether it is complete. */
  public record Finished(long runId, RunOutcome outcome) implements KompicsEvent {}

  /** A run could not begin. */
  public record Failed(long runId, Throwable cause) implements KompicsEvent {}
}
