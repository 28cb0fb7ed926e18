package ebb.net.mechanism;

import ebb.net.control.Token;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

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

  /**
   * The first datagram of an iperf3 client's flow, which comes from the address of its session's
   * control connection.
   *
   * @param local where it came to
   * @param answer what tells the client that its flow is known
   * @param down whether this side is to send
   * @return done when it is taken
   */
  default CompletableFuture<Void> accept(
      ServerSession session,
      InetSocketAddress local,
      InetSocketAddress from,
      ByteBuf answer,
      boolean down) {
    return CompletableFuture.failedFuture(new UnsupportedOperationException("no datagrams"));
  }

  /** A session is over; its flows have been aborted. */
  default void close(Token session) {}

  /** No more flows; waits until ports are free. Any thread but the loop. */
  @Override
  default void close() {}
}
