package ebb.ledbat.endpoint;

import ebb.ledbat.wire.MalformedReason;
import java.util.Map;

/**
 * What an endpoint saw so far; a snapshot.
 *
 * @param connections connections in every state, lingering ones included
 * @param halfOpen accepted connections whose peer has not proven its address
 * @param datagramsReceived all, malformed ones included
 * @param datagramsSent all
 * @param dropped datagrams that no connection took
 * @param resetsSent ST_RESET queued to be sent
 * @param resetsSuppressed ST_RESET not sent because of the rate limit
 * @param refused SYNs refused for want of a listener or of room
 * @param halfOpenEvicted half-open connections dropped to make room for new ones
 * @param listenerFailures exceptions thrown by listeners
 * @param bufferedBytes in all send, receive and reorder buffers
 */
public record EndpointStats(
    int connections,
    int halfOpen,
    long datagramsReceived,
    long datagramsSent,
    Dropped dropped,
    long resetsSent,
    long resetsSuppressed,
    long refused,
    long halfOpenEvicted,
    long listenerFailures,
    long bufferedBytes) {

  /**
   * Datagrams that no connection took.
   *
   * @param malformed by reason; a reason never seen is absent
   * @param unknownConnection for no connection of this endpoint
   * @param implausible no honest peer would have sent them to that connection
   */
  public record Dropped(
      Map<MalformedReason, Long> malformed, long unknownConnection, long implausible) {}
}
