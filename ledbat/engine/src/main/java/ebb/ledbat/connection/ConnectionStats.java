package ebb.ledbat.connection;

/**
 * What one connection did so far; a snapshot. Bytes are payload bytes unless the name says
 * datagram.
 *
 * @param nowMicros when the snapshot was taken, on the driver's clock
 * @param bytes both ways
 * @param packets both ways
 * @param window of the data that this side sends
 * @param delays of the data that this side sends
 * @param limits what kept this side from sending more, and for how long
 * @param incoming of the data that the peer sends, where this side has a controller for it
 */
public record ConnectionStats(
    long nowMicros,
    Bytes bytes,
    Packets packets,
    Window window,
    Delays delays,
    LimitTimes limits,
    Incoming incoming) {

  /**
   * Payload.
   *
   * @param sent handed to the network for the first time
   * @param acked the peer acknowledged
   * @param received in order
   * @param waiting received, and held until what is missing before them comes
   * @param retransmitted sent again
   * @param unsent accepted by write, not yet sent
   */
  public record Bytes(
      long sent, long acked, long received, long waiting, long retransmitted, long unsent) {}

  /**
   * Packets, and what became of them.
   *
   * @param datagramsSent all packet types
   * @param datagramsReceived well-formed packets of this connection
   * @param retransmitted ST_DATA and ST_FIN sent again
   * @param duplicate ST_DATA received that had been received before
   * @param timeouts congestion timeouts
   * @param losses loss events (at most one per round trip)
   */
  public record Packets(
      long datagramsSent,
      long datagramsReceived,
      long retransmitted,
      long duplicate,
      long timeouts,
      long losses) {}

  /**
   * What may be in flight, and is.
   *
   * @param cwndBytes congestion window
   * @param flightSizeBytes bytes in flight
   * @param peerWindowBytes last wnd_size of the peer
   * @param mssBytes payload bytes of a full packet
   */
  public record Window(long cwndBytes, long flightSizeBytes, long peerWindowBytes, int mssBytes) {}

  /**
   * Delays.
   *
   * @param smoothedRttMicros 0 before the first sample
   * @param minRttMicros 0 before the first sample
   * @param queuingMicros what the controller sees of the queue
   * @param baseMicros with the clocks' unknown offset
   * @param targetMicros TARGET
   */
  public record Delays(
      long smoothedRttMicros,
      long minRttMicros,
      long queuingMicros,
      long baseMicros,
      long targetMicros) {}

  /**
   * What a receiver that yields does with what comes in.
   *
   * @param controller its name; empty where only the rate is bounded, or nothing is
   * @param state what the controller is doing, in its own words
   * @param windowBytes what may be in flight
   * @param smoothedRttMicros 0 before the first sample
   * @param minRttMicros 0 before the first sample
   * @param queuingMicros what the controller sees of the queue
   * @param baseDelayMicros of the way here, with the clocks' unknown offset; 0 before the first
   *     sample
   * @param targetMicros the queue that it steers towards
   * @param limit what keeps the peer from sending more
   */
  public record Incoming(
      String controller,
      String state,
      long windowBytes,
      long smoothedRttMicros,
      long minRttMicros,
      long queuingMicros,
      long baseDelayMicros,
      long targetMicros,
      ReceiveLimit limit) {
    /** Of a connection that has no control over what comes in. */
    public static final Incoming NONE = new Incoming("", "", 0, 0, 0, 0, 0, 0, ReceiveLimit.SENDER);

    /** Whether this side bounds what comes in by more than its buffer. */
    public boolean isControlled() {
      return windowBytes > 0;
    }
  }

  /** The same with other counts of acknowledged bytes and of those received in order. */
  public ConnectionStats withContent(long acked, long received) {
    Bytes content =
        new Bytes(bytes.sent, acked, received, bytes.waiting, bytes.retransmitted, bytes.unsent);
    return new ConnectionStats(nowMicros, content, packets, window, delays, limits, incoming);
  }

  // ---- the parts' figures, by one name each

  public long bytesSent() {
    return bytes.sent;
  }

  public long bytesAcked() {
    return bytes.acked;
  }

  public long bytesReceived() {
    return bytes.received;
  }

  public long bytesRetransmitted() {
    return bytes.retransmitted;
  }

  public long unsentBytes() {
    return bytes.unsent;
  }

  public long datagramsSent() {
    return packets.datagramsSent;
  }

  public long datagramsReceived() {
    return packets.datagramsReceived;
  }

  public long packetsRetransmitted() {
    return packets.retransmitted;
  }

  public long packetsDuplicate() {
    return packets.duplicate;
  }

  public long timeouts() {
    return packets.timeouts;
  }

  public long losses() {
    return packets.losses;
  }

  public long cwndBytes() {
    return window.cwndBytes;
  }

  public long flightSizeBytes() {
    return window.flightSizeBytes;
  }

  public long peerWindowBytes() {
    return window.peerWindowBytes;
  }

  public int mssBytes() {
    return window.mssBytes;
  }

  public long smoothedRttMicros() {
    return delays.smoothedRttMicros;
  }

  public long minRttMicros() {
    return delays.minRttMicros;
  }

  public long queuingDelayMicros() {
    return delays.queuingMicros;
  }

  public long baseDelayMicros() {
    return delays.baseMicros;
  }

  public long targetDelayMicros() {
    return delays.targetMicros;
  }
}
