package ebb.net.mechanism;

import ebb.core.time.MicroClock;
import ebb.net.control.TestSpec;
import ebb.net.control.Token;
import ebb.net.flow.FlowEnd;

/** A client's test, as the mechanism sees it at the server. Thread-safe. */
public interface ServerSession {
  Token token();

  TestSpec spec();

  /** Since the session began: the client knows its offset. */
  MicroClock clock();

  /**
   * A flow of the session; one that was not announced, or came when all was over, is not taken.
   *
   * @param down whether this side sends
   * @return whether it is taken
   */
  boolean add(FlowEnd end, boolean down);
}
