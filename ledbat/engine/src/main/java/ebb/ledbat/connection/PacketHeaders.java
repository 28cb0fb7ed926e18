package ebb.ledbat.connection;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import ebb.ledbat.wire.Timestamps;
import java.nio.ByteBuffer;

/**
 * Begins packets of one connection: fills in everything of the header but what the caller says, and
 * the proof of our address for as long as the peer may not have seen it.
 */
final class PacketHeaders {
  private final PacketWriter writer;
  private final ConnectionIds ids;
  private final Receiver receiver;
  private boolean proving;
  private boolean knowsProof;
  private long proof;

  PacketHeaders(PacketWriter writer, ConnectionIds ids, Receiver receiver) {
    this.writer = writer;
    this.ids = ids;
    this.receiver = receiver;
  }

  /** From now on every packet repeats what the peer sent to our address. */
  void startProving(long proof) {
    proving = true;
    setProof(proof);
  }

  /** What the two sides know: who is sent it answers. */
  void setProof(long proof) {
    knowsProof = true;
    this.proof = proof;
  }

  /** The peer has seen it. */
  void stopProving() {
    proving = false;
  }

  boolean isProving() {
    return proving;
  }

  /** Of a packet without payload and selective ack. */
  int bytes() {
    return Packet.HEADER_BYTES + (proving ? PacketWriter.PROOF_BYTES : 0);
  }

  /** A packet that acknowledges all that was received in order. */
  PacketWriter begin(ByteBuffer out, PacketType type, int seqNr, long nowMicros) {
    return begin(out, type, seqNr, receiver.ackNr(), nowMicros);
  }

  /** Lets the packet ask for an answer, where the peer is an Ebb that gives one. */
  void ask(PacketWriter begun) {
    if (knowsProof && !proving) {
      begun.proof(proof);
    }
  }

  /** One whose ack_nr is not the usual one. */
  PacketWriter begin(ByteBuffer out, PacketType type, int seqNr, int ackNr, long nowMicros) {
    PacketWriter begun = begin(out, type, ids.sendId(), seqNr, ackNr, nowMicros);
    if (proving) {
      begun.proof(proof);
    }
    return begun;
  }

  /**
   * A packet of the handshake.
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
        receiver.advertise(nowMicros),
        seqNr,
        ackNr);
  }
}
