package ebb.net.flow;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One flow as one of its ends sees it. All methods may be called on any thread. */
public interface FlowEnd {
  /** A sender begins; a receiver has nothing to begin. */
  void start();

  /** The warm-up is over: a sender begins its pace anew. */
  default void mark() {}

  /** A sender sends no further message, and ends when the peer has what was sent. */
  void finish();

  /** Ends it at once: what was not sent never will be. */
  void abort();

  /** The same, but what it is made of may stay until {@link #abort}. */
  default void drop() {
    abort();
  }

  Tally tally();

  /** What its transport says of it now; nothing where it cannot say. */
  default CompletableFuture<Optional<FlowFigures>> figures() {
    return CompletableFuture.completedFuture(Optional.empty());
  }

  /** Words about it for the result, such as its congestion control. */
  default List<String> facts() {
    return List.of();
  }

  /** Done when a sender has sent all messages that were asked for, or was told to finish. */
  CompletableFuture<Void> sentAll();

  /**
   * Done when the flow is over: for a stream when the peer has everything, or has sent everything.
   * Fails with an {@link ebb.core.cli.EbbException} when it broke.
   */
  CompletableFuture<Void> ended();

  /**
   * Done when nothing more can be under way to a receiver whose sender has ended; never fails where
   * {@link #ended} does not.
   */
  default CompletableFuture<Void> drained() {
    return ended();
  }
}
