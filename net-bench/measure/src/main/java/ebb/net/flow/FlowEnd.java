package ebb.net.flow;

import java.util.concurrent.CompletableFuture;

/** One flow as one of its ends sees it. All methods may be called on any thread. */
public interface FlowEnd {
  /** A sender begins; a receiver has nothing to begin. */
  void start();

  /** The warm-up is over: a sender begins its pace anew. */
  default void mark() {}

  /** A sender sends no further message, and ends when the peer has what was sent. */
  void finish();

  /** Ends it at once. */
  void abort();

  Tally tally();

  /** What a sender has waited for so far, where nobody but this end knows. */
  default Limits limits() {
    return Limits.NONE;
  }

  /** Done when a sender has sent all messages that were asked for, or was told to finish. */
  CompletableFuture<Void> sentAll();

  /**
   * Done when the flow is over: for a stream when the peer has everything, or has sent everything.
   * Fails with an {@link ebb.core.cli.EbbException} when it broke.
   */
  CompletableFuture<Void> ended();
}
