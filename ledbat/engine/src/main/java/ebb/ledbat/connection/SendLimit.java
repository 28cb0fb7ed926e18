package ebb.ledbat.connection;

/**
 * What keeps a connection from sending more at one moment. Always exactly one does; where several
 * would, the first that sending meets.
 */
public enum SendLimit {
  /** It is not established yet. */
  HANDSHAKE(0, "handshake"),
  /** The application has written nothing more, or only part of a packet (Minshall's rule). */
  APPLICATION(1, "application"),
  /**
   * The send buffer, or the memory that all connections share, is full of what is in flight, and
   * the application would write more.
   */
  SEND_BUFFER(2, "send buffer"),
  /** The congestion window is full. */
  CWND(3, "cwnd"),
  /** cwnd has room, but the pacer spreads it over the round trip. */
  PACING(4, "pacing"),
  /** The rate bound that the user set. */
  RATE(5, "rate bound"),
  /** The window that the peer advertises is full. */
  PEER_WINDOW(6, "peer window"),
  /** As many packets are in flight as the peer can put in order. */
  PACKETS(7, "packets in flight"),
  /**
   * Lost packets wait for room in cwnd, or a retransmission timeout has expired and nothing has
   * been acknowledged since.
   */
  RECOVERY(8, "recovery"),
  /** More may be sent than the driver has asked for: the socket is full or the machine is slow. */
  DRIVER(9, "driver");

  /** Its place in arrays. */
  final int index;

  private final String text;

  SendLimit(int index, String text) {
    this.index = index;
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
