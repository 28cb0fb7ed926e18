package ebb.ledbat.trace;

/** Figures of one connection at one moment, read where they are kept. */
public interface Metrics {
  /** The congestion window. */
  long cwndBytes();

  /** Payload sent and not acknowledged. */
  long flightSizeBytes();

  /** Payload bytes per second at which the window is spread; 0 while it is not. */
  long pacingBytesPerSecond();

  /** 0 before the first sample. */
  long smoothedRttMicros();

  /** 0 before the first sample. */
  long latestRttMicros();

  /** 0 before the first sample. */
  long minRttMicros();

  /** Of the data that this side sends, as its controller sees it. */
  long queuingDelayMicros();

  /** With the clocks' unknown offset; 0 before the first sample. */
  long baseDelayMicros();

  /** The queuing delay that the controller steers towards. */
  long targetDelayMicros();
}
