package ebb.ledbat.connection;

/**
 * What the application hears of one connection. Called in the endpoint's context, after a burst or
 * a timer was handled, never from inside a call that the application makes; so a listener may call
 * any method of the connection. A listener must not block and must not throw.
 */
public interface ConnectionListener {
  /** An outgoing connection is established; write may have been called before. */
  default void onConnected(LedbatConnection connection) {}

  /** {@link LedbatConnection#readableBytes()} grew; at most once per burst. */
  default void onReadable(LedbatConnection connection) {}

  /**
   * {@link LedbatConnection#writableBytes()} grew, after a write that filled the send buffer or
   * took less than offered.
   */
  default void onWritable(LedbatConnection connection) {}

  /** {@link ConnectionStats#bytesAcked()} grew; at most once per burst. */
  default void onAcked(LedbatConnection connection) {}

  /** The peer's FIN was reached: everything it sent is readable, nothing more will come. */
  default void onPeerFinished(LedbatConnection connection) {}

  /**
   * The connection is gone; the last call. Bytes that arrived in order remain readable until this
   * returns.
   */
  default void onClosed(LedbatConnection connection, CloseReason reason) {}
}
