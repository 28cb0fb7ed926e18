package ebb.net.mechanism;

import ebb.net.flow.FlowEnd;
import java.util.concurrent.CompletableFuture;

/** Opens the flows of one run at the client's side. */
public interface FlowOpener extends AutoCloseable {
  /**
   * Opens one; to be called on the run's loop, must not block.
   *
   * @param stream its number among those of its direction, from 0
   * @param sending whether the client sends
   * @return done when the server has taken it; fails with an {@link ebb.core.cli.EbbException}
   */
  CompletableFuture<FlowEnd> open(int stream, boolean sending);

  /** Frees what flows shared; they have been aborted by then. */
  @Override
  default void close() {}
}
