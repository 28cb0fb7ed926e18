package ebb.ledbat.connection;

import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.Timestamps;
import java.nio.ByteBuffer;

/** Begins packets of one connection: fills in everything of the header but what the caller says. */
final class PacketHeaders {
  private final PacketWriter writer;
  private final ConnectionIds ids;
  private final Receiver receiver;

  PacketHeaders(PacketWriter writer, ConnectionIds ids, Receiver receiver) {
    this.writer = writer;
    this.ids = ids;
    this.receiver = receiver;
  }

  /** A packet that acknowledges all that was received in order. */
  PacketWriter begin(ByteBuffer out, PacketType type, int seqNr, long nowMicros) {
    return begin(out, type, ids.sendId(), seqNr, receiver.ackNr(), nowMicros);
  }

  /**
   * A packet of the handshake, or one whose ack_nr is not the usual one.
   *
   * <p>R12. RFC 6817, 2.2: "LEDBAT requires that each data segment carries a 'timestamp' from the
   * sender". BEP 29, overview: "Every time a packet is sent, the sockets reply_micro value is put
   * in the timestamp_difference_microseconds field of the packet header."
   */
  PacketWriter begin(
      ByteBuffer out, PacketType type, int connectionId, int seqNr, int ackNr, long nowMicros) {
    return writer.begin(
        out,
        type,
        connectionId,
        Timestamps.toWire(nowMicros),
        receiver.peerDelayMicros(),
        receiver.advertise(),
        seqNr,
        ackNr);
  }
}
