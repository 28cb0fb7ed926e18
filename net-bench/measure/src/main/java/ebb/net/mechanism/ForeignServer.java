package ebb.net.mechanism;

import ebb.net.flow.FlowEnd;
import java.util.concurrent.CompletableFuture;

/**
 * A server that is another program's: it tells flows by the order in which they come, and has them
 * begin all at once. On the run's loop.
 */
public interface ForeignServer {
  /** What a TCP connection for data says first. */
  byte[] greeting();

  /** Done when the flows before this one are connected. */
  CompletableFuture<Void> turn(int stream, boolean sending);

  /**
   * This flow is connected.
   *
   * @return done when it may begin, with all others
   */
  CompletableFuture<FlowEnd> connected(int stream, boolean sending, FlowEnd end);
}
