package ebb.testkit.tcp;

/**
 * A TCP congestion window in segments. The sender tells it what happened; it holds no packet and no
 * timer.
 */
public interface TcpWindow {
  /** The congestion window in segments; at least 1. */
  double cwndSegments();

  /**
   * Segments were newly acknowledged while the window limited the sender and no recovery ran.
   *
   * @param segments cumulatively or selectively acknowledged for the first time
   * @param smoothedRttMicros above 0
   */
  void onAck(int segments, long smoothedRttMicros, long nowMicros);

  /** Loss was found by duplicate acknowledgements; at most once per window of data. */
  void onLoss(long flightSegments, long nowMicros);

  /** The retransmission timer ran out. */
  void onTimeout(long flightSegments, long nowMicros);

  /** The sender had nothing to send for longer than the retransmission timer (RFC 5681, 4.1). */
  default void onIdle() {}

  /** Segments were acknowledged or found lost, in recovery or not; before {@link #onAck}. */
  default void onDelivery(TcpDelivery delivery) {}

  /** Whether the window doubles in a round trip; a paced sender is then ahead of it. */
  default boolean inSlowStart() {
    return false;
  }

  /** The rate that the window itself asks for, in segments a second; 0 when it asks for none. */
  default double pacingSegmentsPerSecond() {
    return 0;
  }
}
