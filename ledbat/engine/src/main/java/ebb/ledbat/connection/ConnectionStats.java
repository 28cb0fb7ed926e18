package ebb.ledbat.connection;

/**
 * What one connection did so far; a snapshot. Bytes are payload bytes unless the name says
 * datagram.
 *
 * @param nowMicros when the snapshot was taken, on the driver's clock
 * @param bytesSent payload handed to the network for the first time
 * @param bytesAcked payload that the peer acknowledged
 * @param bytesReceived payload received in order
 * @param bytesRetransmitted payload sent again
 * @param datagramsSent all packet types
 * @param datagramsReceived well-formed packets of this connection
 * @param packetsRetransmitted ST_DATA and ST_FIN sent again
 * @param packetsDuplicate ST_DATA received that had been received before
 * @param timeouts congestion timeouts
 * @param losses loss events (at most one per round trip)
 * @param cwndBytes congestion window
 * @param flightSizeBytes bytes in flight
 * @param peerWindowBytes last wnd_size of the peer
 * @param smoothedRttMicros 0 before the first sample
 * @param minRttMicros 0 before the first sample
 * @param queuingDelayMicros of the data that this side sends
 * @param baseDelayMicros with the clocks' unknown offset
 * @param targetDelayMicros TARGET
 * @param mssBytes payload bytes of a full packet
 * @param unsentBytes accepted by write, not yet sent
 * @param limits what kept this side from sending more, and for how long
 */
public record ConnectionStats(
    long nowMicros,
    long bytesSent,
    long bytesAcked,
    long bytesReceived,
    long bytesRetransmitted,
    long datagramsSent,
    long datagramsReceived,
    long packetsRetransmitted,
    long packetsDuplicate,
    long timeouts,
    long losses,
    long cwndBytes,
    long flightSizeBytes,
    long peerWindowBytes,
    long smoothedRttMicros,
    long minRttMicros,
    long queuingDelayMicros,
    long baseDelayMicros,
    long targetDelayMicros,
    int mssBytes,
    long unsentBytes,
    LimitTimes limits) {
  /** The same with other counts of acknowledged and received bytes. */
  public ConnectionStats withContent(long acked, long received) {
    return new ConnectionStats(
        nowMicros,
        bytesSent,
        acked,
        received,
        bytesRetransmitted,
        datagramsSent,
        datagramsReceived,
        packetsRetransmitted,
        packetsDuplicate,
        timeouts,
        losses,
        cwndBytes,
        flightSizeBytes,
        peerWindowBytes,
        smoothedRttMicros,
        minRttMicros,
        queuingDelayMicros,
        baseDelayMicros,
        targetDelayMicros,
        mssBytes,
        unsentBytes,
        limits);
  }
}
