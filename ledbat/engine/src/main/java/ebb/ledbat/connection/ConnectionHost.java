package ebb.ledbat.connection;

/** What a connection asks of the endpoint that it belongs to. */
public interface ConnectionHost {
  /** The connection may have something to send, to tell or to wait for: look at it soon. */
  void touch();

  /** A write found no memory: call {@link Connection#onMemory} when there is some. */
  void waitForMemory();

  /** The peer of an incoming connection proved its address. */
  void onAccepted(Connection connection);

  /** Queues an ST_RESET to the connection's peer. */
  void sendReset(int connectionId, int seqNr, int ackNr);
}
