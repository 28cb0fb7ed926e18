package ebb.ledbat.connection;

import ebb.ledbat.recovery.SentPackets;
import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.SeqNr;

/**
 * Which packets can come from the peer, judged by their ack_nr: all that keeps an attacker out who
 * knows the addresses and the connection id but does not see the packets. It owns no state.
 */
final class AckWindow {
  /**
   * Packets that overtook one another carry an older ack_nr. No peer has more than this in flight
   * by default, and none delays a packet by many more round trips than one.
   */
  private static final int MIN_STALE_PACKETS = 1_024;

  private final SentPackets sent;

  AckWindow(SentPackets sent) {
    this.sent = sent;
  }

  /** The distance of the packet's ack_nr from the last cumulatively acknowledged packet. */
  int distance(Packet packet) {
    return SeqNr.distance((int) (sent.first() - 1) & 0xffff, packet.ackNr());
  }

  /**
   * Whether the packet acknowledges only what was sent, and nothing too old.
   *
   * <p>RFC 5961, 5.2: "The ACK value is considered acceptable only if it is in the range of
   * ((SND.UNA - MAX.SND.WND) <= SEG.ACK <= SND.NXT)." RFC 5961, 5.2: "All incoming segments whose
   * ACK value doesn't satisfy the above condition MUST be discarded". Windows of uTP are bytes: the
   * most packets that were ever in flight stand for MAX.SND.WND.
   */
  boolean accepts(Packet packet) {
    int distance = distance(packet);
    // One more, for libutp's keepalive acknowledges one packet less.
    int oldest = -Math.max(MIN_STALE_PACKETS, sent.mostPackets()) - 1;
    return distance >= oldest && distance <= sent.count();
  }

  /**
   * Whether an ST_RESET can come from the peer: it repeats an ack_nr of the peer, or the seq_nr of
   * a packet that the peer's side no longer knew what to do with.
   *
   * <p>RFC 5961, 3.2: "If the RST bit is set and the sequence number is outside the current receive
   * window, silently drop the segment." RFC 5961, 3.2: "If the RST bit is set and the sequence
   * number exactly matches the next expected sequence number (RCV.NXT), then TCP MUST reset the
   * connection."
   */
  boolean acceptsReset(Packet packet) {
    int distance = distance(packet);
    return distance >= 0 && distance <= sent.count() + 1;
  }

  /** Whether the packet acknowledges exactly what was acknowledged before. */
  boolean acksNothingNew(Packet packet) {
    return distance(packet) == 0;
  }
}
