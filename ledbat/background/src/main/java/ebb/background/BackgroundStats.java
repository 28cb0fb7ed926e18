package ebb.background;

/**
 * What is known of one direction of a connection, or of all that share a controller with it.
 *
 * @param way what steers it
 * @param connections connections that share the window, this one included
 * @param bytes payload that this connection has carried in this direction
 * @param bytesPerSecond what all that share the window carried in the last round trip
 * @param windowBytes what all of them together may have in flight; 0 where no window steers
 * @param baseRttMicros the path's round trip without a queue; 0 while unknown
 * @param rttMicros the round trip with the queue; 0 while unknown
 * @param yielding whether others were seen on the path, and it sends next to nothing
 */
public record BackgroundStats(
    SteeringWay way,
    int connections,
    long bytes,
    long bytesPerSecond,
    long windowBytes,
    long baseRttMicros,
    long rttMicros,
    boolean yielding) {
  /** The time that a packet waits on the path, in microseconds; 0 while unknown. */
  public long queueMicros() {
    return Math.max(0, rttMicros - baseRttMicros);
  }
}
