package ebb.ledbat.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketType;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Packets written by hand, and the header fields of datagrams that are on their way. */
final class Forge {
  static final int DATA = 0x01;
  static final int FIN = 0x11;
  static final int STATE = 0x21;
  static final int RESET = 0x31;
  static final int SYN = 0x41;

  private static final int WINDOW_BYTES = 1 << 20;

  private Forge() {}

  /** A packet without extensions whose payload is zeros. */
  static byte[] packet(PacketType type, int connectionId, int seqNr, int ackNr, int payloadBytes) {
    return packet(type, connectionId, seqNr, ackNr, WINDOW_BYTES, new byte[payloadBytes]);
  }

  static byte[] packet(
      PacketType type, int connectionId, int seqNr, int ackNr, long wndSize, byte[] payload) {
    ByteBuffer out = ByteBuffer.allocate(2_000);
    new PacketWriter().begin(out, type, connectionId, 1, 1, wndSize, seqNr, ackNr);
    return end(out.put(payload));
  }

  /** An ST_STATE that selectively acknowledges {@code bits} packets from {@code ackNr + 2} on. */
  static byte[] selectiveAck(int connectionId, int seqNr, int ackNr, int bits) {
    ByteBuffer out = ByteBuffer.allocate(2_000);
    PacketWriter writer =
        new PacketWriter()
            .begin(out, PacketType.ST_STATE, connectionId, 1, 1, WINDOW_BYTES, seqNr, ackNr);
    int at = writer.selectiveAck((bits + 31) / 32 * 4);
    for (int bit = 0; bit < bits; bit++) {
      writer.setSelectiveAckBit(at, bit);
    }
    return end(out);
  }

  /** An Ebb's SYN: with the bits by which it is known, and room for the proof. */
  static byte[] ebbSyn(int connectionId, int seqNr) {
    ByteBuffer out = ByteBuffer.allocate(100);
    PacketWriter writer =
        new PacketWriter()
            .begin(out, PacketType.ST_SYN, connectionId, 1, 0, WINDOW_BYTES, seqNr, 0);
    writer.extensionBits(0x4542_4202_0000_0000L);
    writer.proof(0);
    return end(out);
  }

  /** A packet of an initiator that is an Ebb and shows {@code proof}. */
  static byte[] proving(
      PacketType type, int connectionId, int seqNr, int ackNr, long proof, int payloadBytes) {
    ByteBuffer out = ByteBuffer.allocate(2_000);
    new PacketWriter()
        .begin(out, type, connectionId, 1, 1, WINDOW_BYTES, seqNr, ackNr)
        .proof(proof);
    return end(out.put(new byte[payloadBytes]));
  }

  /** The proof in an answer to {@link #ebbSyn}. */
  static long proof(byte[] datagram) {
    Packet packet = new Packet();
    packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
    assertThat(packet.hasProof()).isTrue();
    return packet.proof();
  }

  private static byte[] end(ByteBuffer out) {
    byte[] datagram = new byte[out.position()];
    out.flip().get(datagram);
    return datagram;
  }

  /** The header alone. */
  static byte[] withoutExtensions(byte[] datagram) {
    byte[] header = Arrays.copyOf(datagram, Packet.HEADER_BYTES);
    header[1] = 0;
    return header;
  }

  static int payloadBytes(byte[] datagram) {
    Packet packet = new Packet();
    packet.decode(ByteBuffer.wrap(datagram), 0, datagram.length);
    return packet.payloadBytes();
  }

  /** Type and version. */
  static int kind(byte[] datagram) {
    return datagram[0];
  }

  static int connectionId(byte[] datagram) {
    return ByteBuffer.wrap(datagram).getShort(2) & 0xffff;
  }

  static int timestamp(byte[] datagram) {
    return ByteBuffer.wrap(datagram).getInt(4);
  }

  static void setTimestamp(byte[] datagram, int micros) {
    ByteBuffer.wrap(datagram).putInt(4, micros);
  }

  static int difference(byte[] datagram) {
    return ByteBuffer.wrap(datagram).getInt(8);
  }

  static void setDifference(byte[] datagram, int micros) {
    ByteBuffer.wrap(datagram).putInt(8, micros);
  }

  static void setWindow(byte[] datagram, long bytes) {
    ByteBuffer.wrap(datagram).putInt(12, (int) bytes);
  }

  static int seqNr(byte[] datagram) {
    return ByteBuffer.wrap(datagram).getShort(16) & 0xffff;
  }

  static int ackNr(byte[] datagram) {
    return ByteBuffer.wrap(datagram).getShort(18) & 0xffff;
  }

  static void setAckNr(byte[] datagram, int ackNr) {
    ByteBuffer.wrap(datagram).putShort(18, (short) ackNr);
  }
}
