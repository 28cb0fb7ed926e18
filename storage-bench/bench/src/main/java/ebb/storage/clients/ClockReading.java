package ebb.storage.clients;

/**
 * What a client's clocks show more than this machine's, by the fastest of some exchanges: half of
 * its round trip is what may be wrong.
 *
 * @param laterMicros by its monotonic clock, whose origin means nothing
 * @param wallMicros by its time of day
 */
record ClockReading(long laterMicros, long wallMicros, long roundTripMicros) {
  /** Nothing is known yet. */
  static final ClockReading NONE = new ClockReading(0, 0, Long.MAX_VALUE);

  /**
   * The better one of this and another exchange.
   *
   * @param sentMicros on this machine's monotonic clock, as with {@code backMicros}
   * @param wallMicros of this machine when the answer came
   * @param theirs what its monotonic clock showed
   * @param theirWall what its time of day was
   */
  ClockReading or(long sentMicros, long backMicros, long wallMicros, long theirs, long theirWall) {
    long trip = Math.max(0, backMicros - sentMicros);
    return trip < roundTripMicros
        ? new ClockReading(
            theirs - (sentMicros + trip / 2), theirWall - (wallMicros - trip / 2), trip)
        : this;
  }

  long errorMicros() {
    return (roundTripMicros + 1) / 2;
  }
}
