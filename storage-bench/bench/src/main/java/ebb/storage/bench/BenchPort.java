package ebb.storage.bench;

import se.sics.kompics.KompicsEvent;
import se.sics.kompics.PortType;

/** What the bench is asked: one phase at a time. */
public final class BenchPort extends PortType {
  {
    request(RunPhase.class);
    request(CancelPhase.class);
    indication(PhaseProgress.class);
    indication(PhaseDone.class);
  }

  /** Begins a phase; the one before must be done. */
  public record RunPhase(Phase phase) implements KompicsEvent {}

  /** Ends the phase that runs, unless it is persistent; its {@link PhaseDone} follows. */
  public record CancelPhase() implements KompicsEvent {}

  /** So many operations have ended and so many bytes have moved, those under way included. */
  public record PhaseProgress(String name, long operations, long bytes) implements KompicsEvent {}

  /** The answer to {@link RunPhase}. */
  public record PhaseDone(PhaseResult result) implements KompicsEvent {}
}
