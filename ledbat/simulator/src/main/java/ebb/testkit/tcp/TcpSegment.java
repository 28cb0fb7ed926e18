package ebb.testkit.tcp;

import ebb.testkit.link.SimPacket;

/**
 * A segment of the model, data or acknowledgement. Sequence numbers count full segments, not bytes.
 * Immutable.
 */
final class TcpSegment implements SimPacket {
  /** IPv4 20, TCP 20, timestamps 12. */
  static final int HEADER_BYTES = 52;

  static final long[] NO_SACKS = {};

  /** Data: its number; acknowledgement: -1. */
  final long seq;

  /** The first segment not yet received in order. */
  final long ack;

  /** Up to three blocks, [start, end) pairs, the newest first (RFC 2018). */
  final long[] sacks;

  /** When it was sent; the TCP timestamp. */
  final long sentMicros;

  /** The timestamp of the segment that is acknowledged. */
  final long echoMicros;

  private final int flow;
  private final int ipBytes;

  private TcpSegment(
      int flow, int ipBytes, long seq, long ack, long[] sacks, long sentMicros, long echoMicros) {
    this.flow = flow;
    this.ipBytes = ipBytes;
    this.seq = seq;
    this.ack = ack;
    this.sacks = sacks;
    this.sentMicros = sentMicros;
    this.echoMicros = echoMicros;
  }

  static TcpSegment data(int flow, int ipBytes, long seq, long sentMicros) {
    return new TcpSegment(flow, ipBytes, seq, 0, NO_SACKS, sentMicros, 0);
  }

  static TcpSegment acknowledgement(
      int flow, long ack, long[] sacks, long sentMicros, long echoMicros) {
    int ipBytes = HEADER_BYTES + 8 * (sacks.length / 2);
    return new TcpSegment(flow, ipBytes, -1, ack, sacks, sentMicros, echoMicros);
  }

  @Override
  public int flow() {
    return flow;
  }

  @Override
  public int ipBytes() {
    return ipBytes;
  }

  @Override
  public boolean dontFragment() {
    return true;
  }

  @Override
  public long checksum() {
    return seq * 31 + ack;
  }
}
