package ebb.net.mechanism;

import ebb.net.control.Token;
import ebb.net.loop.NetLoop;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.Optional;

/** What a server lends to its mechanisms. Thread-safe. */
public interface ServerPlace {
  /** Connections of one kind, of whomever, that a server holds. */
  int MAX_CONNECTIONS = 8_192;

  /** Where the server's TCP port is. */
  InetSocketAddress local();

  /** Whether the user has left the choice of ports to the system. */
  boolean anyPort();

  /** The server's loop. */
  NetLoop loop();

  /**
   * The session of the asking mechanism that the token is of, for a flow from this address. None
   * when it is not the address of the session's control connection, whatever the port: the session
   * is then refused with words that say so, and nothing may be sent to that address.
   */
  Optional<ServerSession> session(Token token, InetSocketAddress from);

  /**
   * A datagram to the server's port that is not uTP: maybe the first of a flow of iperf3's. Any
   * thread.
   */
  default void foreign(InetSocketAddress from, ByteBuf datagram) {
    stranger();
  }

  /** Somebody came who belongs to no session: to be counted, and to be dropped without a word. */
  void stranger();
}
