package ebb.net.mechanism;

import ebb.net.control.Token;
import io.netty.channel.Channel;

/** Takes flows of one mechanism at a server. Methods are called on the server's loop. */
public interface FlowAcceptor extends AutoCloseable {
  /** The port that flows come to. */
  int port();

  /** What the server's first line says of further ports; empty for none. */
  default String listening() {
    return "";
  }

  /** A session begins; its flows may come. */
  default void open(ServerSession session) {}

  /**
   * A TCP connection to the server's own port, which has said that it belongs to the session, and
   * comes from its client's address.
   *
   * @param down whether this side is to send
   * @return whether it is taken
   */
  default boolean accept(Channel channel, ServerSession session, boolean down) {
    return false;
  }

  /** A session is over; its flows have been aborted. */
  default void close(Token session) {}

  /** No more flows; waits until ports are free. Any thread but the loop. */
  @Override
  default void close() {}
}
