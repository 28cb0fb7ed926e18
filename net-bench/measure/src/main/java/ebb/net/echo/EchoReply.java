package ebb.net.echo;

/**
 * One answer that came.
 *
 * @param number of its echo, from 0
 * @param plannedMicros when its echo was planned to go, by this host's clock
 * @param sentMicros when its echo went, by this host's clock
 * @param answeredMicros when it came, by this host's clock
 * @param peerMicros when its echo was there, by the server's clock
 * @param late whether the wait for it was over
 * @param duplicate whether its echo had been answered before
 * @param reordered whether an answer to a later echo came before it
 */
public record EchoReply(
    long number,
    long plannedMicros,
    long sentMicros,
    long answeredMicros,
    long peerMicros,
    boolean late,
    boolean duplicate,
    boolean reordered) {
  /** From sending. */
  public long roundTripMicros() {
    return Math.max(0, answeredMicros - sentMicros);
  }
}
