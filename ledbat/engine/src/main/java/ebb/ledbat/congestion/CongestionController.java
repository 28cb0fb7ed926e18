package ebb.ledbat.congestion;

/**
 * Decides how many bytes may be in flight. One instance serves one connection and is told what
 * happened in the order in which it happened; it holds no clock, timer or packet.
 *
 * <p>Times are microseconds of the driver's monotonic clock. One-way delays are "unwrapped": signed
 * 64-bit microseconds with an arbitrary constant offset (the clocks' offset), so that only their
 * differences mean anything and no 32-bit wrap is ever seen here.
 */
public interface CongestionController {
  /** The name by which configuration and command line choose it. */
  String name();

  /**
   * What it is doing, such as slow start, for those who watch: one of a few constants of its own,
   * in lower case, or nothing. Nothing follows from it.
   */
  default String state() {
    return "";
  }

  /** Why it is in that state, in the same way. */
  default String stateTrigger() {
    return "";
  }

  /** The congestion window; at least one segment. */
  long cwndBytes();

  /** The queuing delay this controller steers towards. */
  long targetDelayMicros();

  /** Changes TARGET while data flows; must be in 1..100,000. */
  void setTargetDelayMicros(long targetDelayMicros);

  /**
   * The segment size changed (path MTU probing). cwnd stays the same number of bytes, except that
   * it is never less than one segment and that an initial window keeps its number of segments until
   * the first acknowledgement, loss or timeout.
   */
  void setMssBytes(int mssBytes);

  /**
   * A delay sample that the peer returned. Every one is handed in, in order, before the {@link
   * #onAck} of the packet that carried it.
   *
   * @param oneWayDelayMicros unwrapped one-way delay, data direction
   * @param smoothedRttMicros for the age limit of the filter; 0 while unknown
   */
  void onDelaySample(long oneWayDelayMicros, long smoothedRttMicros, long nowMicros);

  /**
   * A round trip was measured, never of a packet that was sent twice. Handed in before the {@link
   * #onDelaySample} and {@link #onAck} of the packet that ended it; it holds the time by which the
   * peer delayed its acknowledgement.
   */
  default void onRttSample(long rttMicros, long nowMicros) {}

  /**
   * Bytes were newly acknowledged.
   *
   * @param ackedBytes newly acknowledged payload bytes, above 0
   * @param flightSizeBytes bytes in flight before this acknowledgement
   * @param smoothedRttMicros 0 while unknown
   */
  void onAck(long ackedBytes, long flightSizeBytes, long smoothedRttMicros, long nowMicros);

  /**
   * Data was lost that was sent after the last loss was reported. The controller reacts at most
   * once per round trip.
   */
  void onLoss(long lostBytes, long smoothedRttMicros, long nowMicros);

  /**
   * Data was lost that was sent before the last {@link #onLoss}, and is found missing only now: no
   * new sign of congestion.
   */
  default void onLateLoss(long lostBytes, long nowMicros) {}

  /**
   * All that the last {@link #onLoss} was about has arrived after all: packets came in another
   * order than they were sent. What the controller did for it was for nothing.
   *
   * @param lostBytes what was told of as lost, above 0
   */
  default void onSpuriousLoss(long lostBytes, long nowMicros) {}

  /**
   * No acknowledgement came within the congestion timeout, or a packet of the handshake had to be
   * sent again: one segment may be in flight.
   */
  void onCongestionTimeout(long nowMicros);

  /**
   * Takes over a connection that already runs, from another controller: the window is this one, and
   * no slow start follows, for what the path carries is known. Called at most once, before the
   * first acknowledgement; the lowest delay of each of the last minutes was handed in before.
   *
   * @param smoothedRttMicros 0 while unknown
   */
  default void takeOver(long cwndBytes, long smoothedRttMicros, long nowMicros) {}

  /**
   * Takes another weight, at once after its creation or while data flows. Called only for
   * controllers whose factory has weights ({@link ControllerFactory#withWeights}).
   */
  default void setWeight(double weight) {
    throw new UnsupportedOperationException(name() + " has no weight");
  }

  /** Data is about to be sent after {@code idleMicros} with nothing in flight. */
  void onIdleEnd(long idleMicros, long nowMicros);

  /**
   * Bytes per second at which the window is to be spread; 0 where the controller leaves that to the
   * connection, which then follows cwnd and the smoothed round trip.
   */
  default long pacingRateBytesPerSecond() {
    return 0;
  }

  /** Output of the current-delay filter, same offset as the samples; 0 before the first sample. */
  long currentDelayMicros();

  /**
   * Minimum over the base history, same offset as the samples, so that it is no delay to show to
   * anyone; 0 before the first sample.
   */
  long baseDelayMicros();

  /** currentDelayMicros - baseDelayMicros; never negative. */
  long queuingDelayMicros();
}
