package ebb.ledbat.congestion;

/**
 * The fastest that the path has lately delivered to this connection. Owns two half-windows of the
 * maximum; measures over a round trip at a time, so that a burst of acknowledgements is no rate.
 *
 * <p>Not thread-safe.
 */
final class PathRate {
  private static final long HALF_WINDOW_MICROS = 15_000_000;
  private static final long MIN_MEASURE_MICROS = 10_000;
  private static final int MIN_MEASURE_SEGMENTS = 4;

  /** Acknowledgements further apart than this are no stream. */
  private static final long MAX_MEASURE_MICROS = 2_000_000;

  private long sinceMicros = Long.MIN_VALUE;
  private double bytes;
  private double latest;
  private long latestSinceMicros;
  private double currentMax;
  private double previousMax;
  private long halfMicros;

  /**
   * @param forget whether old maxima may leave: not while the connection holds itself back
   */
  void onAck(long ackedBytes, int mssBytes, long rttMicros, boolean forget, long nowMicros) {
    if (sinceMicros == Long.MIN_VALUE || nowMicros - sinceMicros > MAX_MEASURE_MICROS) {
      sinceMicros = nowMicros;
      bytes = 0;
      return;
    }
    bytes += ackedBytes;
    long tookMicros = nowMicros - sinceMicros;
    if (tookMicros < Math.max(rttMicros, MIN_MEASURE_MICROS)
        || bytes < (double) MIN_MEASURE_SEGMENTS * mssBytes) {
      return;
    }
    halfMicros += tookMicros;
    if (forget && halfMicros >= HALF_WINDOW_MICROS) {
      halfMicros = 0;
      previousMax = currentMax;
      currentMax = 0;
    }
    latest = bytes * 1e6 / tookMicros;
    latestSinceMicros = sinceMicros;
    currentMax = Math.max(currentMax, latest);
    bytes = 0;
    sinceMicros = nowMicros;
  }

  /** Nothing was sent for a while; what comes next begins a new measurement. */
  void interrupt() {
    sinceMicros = Long.MIN_VALUE;
    latest = 0;
  }

  /** The path was found to carry this much, whatever it did before. */
  void restartAt(double bytesPerSecond) {
    currentMax = bytesPerSecond;
    previousMax = 0;
    halfMicros = 0;
  }

  /** Of the last measurement; 0 while unknown. */
  double latestBytesPerSecond() {
    return latest;
  }

  /** When the last measurement began. */
  long latestSinceMicros() {
    return latestSinceMicros;
  }

  /** Bytes per second; 0 while unknown. */
  double maxBytesPerSecond() {
    return Math.max(currentMax, previousMax);
  }
}
