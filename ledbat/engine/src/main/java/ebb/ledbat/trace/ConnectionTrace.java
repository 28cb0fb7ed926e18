package ebb.ledbat.trace;

import ebb.ledbat.wire.Packet;

/**
 * Hears what happens to one connection, in the order in which it happens. Called in the context of
 * the endpoint's driver, in the middle of the engine's work: a listener returns soon, calls nothing
 * of the connection and must not throw. Packets and metrics are valid during the call only. Names
 * are constants of the engine or of a controller. Times are those of the driver's monotonic clock.
 */
public interface ConnectionTrace {
  /**
   * A packet of this connection was laid out to be sent. A reset that ends it is no packet of its
   * own; {@link #closed} says so.
   *
   * @param again whether it repeats one that was sent before
   */
  default void packetSent(Packet packet, boolean again, long nowMicros) {}

  /** A well-formed packet came for this connection. */
  default void packetReceived(Packet packet, long nowMicros) {}

  /** The packet that was just received is none that the peer would have sent; it has no effect. */
  default void packetIgnored(Packet packet, long nowMicros) {}

  /** The peer acknowledged a packet of data, or a FIN, for the first time. */
  default void packetAcked(int seqNr, int payloadBytes, long nowMicros) {}

  /** A packet that was sent is taken for lost. */
  default void packetLost(int seqNr, int payloadBytes, LossCause cause, long nowMicros) {}

  /**
   * A packet that was taken for lost had arrived. Told just after its {@link #packetAcked}.
   *
   * @param sentAgain whether it was sent again for nothing; else the acknowledgement came in time
   */
  default void packetSpurious(int seqNr, int payloadBytes, boolean sentAgain, long nowMicros) {}

  /** Figures of the path or of the window changed. */
  default void metricsUpdated(Metrics metrics, long nowMicros) {}

  /** Figures of what comes in changed, on a connection where this side controls that. */
  default void incomingUpdated(IncomingMetrics metrics, long nowMicros) {}

  /**
   * Another limit keeps this side from sending more. Told when it has held for some time.
   *
   * @param limit a name of {@code SendLimit}
   * @param sinceMicros when it began to hold
   */
  default void limitChanged(String limit, long sinceMicros, long nowMicros) {}

  /** The controller was told something and has decided on the window. */
  default void controllerDecided(
      ControllerEvent event, long cwndBeforeBytes, long cwndAfterBytes, long nowMicros) {}

  /** The connection got a controller: its first, or another. */
  default void controllerChanged(String name, long nowMicros) {}

  /**
   * The controller is in another state, such as slow start.
   *
   * @param state the controller's own name for it
   * @param trigger the controller's own word for why; may be empty
   */
  default void controllerState(String state, String trigger, long nowMicros) {}

  /** The datagram size of full packets changed. */
  default void mtuChanged(int datagramBytes, long nowMicros) {}

  /**
   * The connection is in another state.
   *
   * @param state SYN_SENT, HALF_OPEN, ESTABLISHED or CLOSED
   */
  default void stateChanged(String state, long nowMicros) {}

  /**
   * The connection ended. An acknowledgement may still follow, for a peer that repeats its FIN.
   *
   * @param reason a name of {@code CloseReason}
   */
  default void closed(String reason, long nowMicros) {}
}
