package ebb.ledbat.trace;

/**
 * Figures of what comes in on one connection, where this side controls that; read where they are
 * kept.
 */
public interface IncomingMetrics {
  /** What may be in flight to this side. */
  long windowBytes();

  /** As this side sees it; 0 before the first sample. */
  long smoothedRttMicros();

  /** As the controller sees it; 0 where there is only a bound on the rate. */
  long queuingDelayMicros();

  /** The queuing delay that the controller steers towards; 0 where there is none. */
  long targetDelayMicros();

  /** What keeps the peer from sending more: a name of {@code ReceiveLimit}. */
  String limitName();
}
