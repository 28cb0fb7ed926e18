package ebb.ledbat.endpoint;

import ebb.ledbat.connection.LedbatConnection;

/** What the application hears of an endpoint. Same context and rules as a connection's listener. */
public interface EndpointListener {
  /**
   * A peer connected and proved its address. Set the connection's listener here; readable bytes, if
   * any, are announced to it afterwards.
   */
  default void onAccepted(LedbatConnection connection) {}
}
