package ebb.ledbat.connection;

/** What kept the peer of a connection from sending more, as its receiver sees it. */
public enum ReceiveLimit {
  /** The sender itself: its window, its application, its rate. */
  SENDER,
  /** The window of this side's controller. */
  WINDOW,
  /** The bound that the user set on the rate. */
  RATE,
  /** The receive buffer: the application does not read. */
  BUFFER
}
