package ebb.ledbat.fuzz;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.PacketWriter;
import java.nio.ByteBuffer;

/**
 * Fuzz target: any datagram is refused with a reason or decoded, and a decoded one that is written
 * again means the same.
 */
public final class PacketTarget {
  /** BEP 29, Selective ACK: "must be at least 4, and in multiples of 4"; the length is a byte. */
  private static final int MAX_WRITTEN_BITS = 252 * 8;

  private PacketTarget() {}

  /** Called by Jazzer, and by {@link CorpusTest}. */
  public static void fuzzerTestOneInput(byte[] input) {
    Packet packet = new Packet();
    // Not at 0, and with something behind it, so that a wrong offset shows.
    byte[] framed = new byte[input.length + 8];
    System.arraycopy(input, 0, framed, 3, input.length);
    if (packet.decode(ByteBuffer.wrap(framed), 3, input.length) != null) {
      return;
    }
    int end = packet.payloadOffset() + packet.payloadBytes();
    check(end == 3 + input.length && packet.payloadOffset() >= 3 + Packet.HEADER_BYTES, "payload");
    check(packet.selectiveAckBits() % 8 == 0 && packet.selectiveAckBits() <= 255 * 8, "bits");
    int bits = Math.min(packet.selectiveAckBits(), MAX_WRITTEN_BITS);
    ByteBuffer out = ByteBuffer.allocate(input.length + 512);
    PacketWriter writer = new PacketWriter();
    writer.begin(
        out,
        packet.type(),
        packet.connectionId(),
        packet.timestampMicros(),
        packet.timestampDifferenceMicros(),
        packet.wndSizeBytes(),
        packet.seqNr(),
        packet.ackNr());
    if (bits > 0) {
      int at = writer.selectiveAck((bits + 31) / 32 * 4);
      for (int bit = 0; bit < bits; bit++) {
        if (packet.isSelectivelyAcked(bit)) {
          writer.setSelectiveAckBit(at, bit);
        }
      }
    }
    if (packet.hasExtensionBits()) {
      writer.extensionBits(packet.extensionBits());
    }
    writer.closeReason(packet.closeReason());
    writer.padding(input.length % 300 + 2);
    out.put(framed, packet.payloadOffset(), packet.payloadBytes());
    Packet again = new Packet();
    check(again.decode(out, 0, out.position()) == null, "not well-formed when written again");
    checkSame(packet, again);
  }

  private static void checkSame(Packet packet, Packet again) {
    check(
        packet.type() == again.type()
            && packet.connectionId() == again.connectionId()
            && packet.timestampMicros() == again.timestampMicros()
            && packet.timestampDifferenceMicros() == again.timestampDifferenceMicros()
            && packet.wndSizeBytes() == again.wndSizeBytes()
            && packet.seqNr() == again.seqNr()
            && packet.ackNr() == again.ackNr(),
        "header");
    for (int bit = 0; bit < again.selectiveAckBits(); bit++) {
      // Lengths that are no multiple of 4 bytes are read, but written only as one.
      boolean acked = bit < packet.selectiveAckBits() && packet.isSelectivelyAcked(bit);
      check(acked == again.isSelectivelyAcked(bit), "selective ack");
    }
    check(
        packet.hasExtensionBits() == again.hasExtensionBits()
            && (!packet.hasExtensionBits() || packet.extensionBits() == again.extensionBits())
            && packet.closeReason() == again.closeReason(),
        "extensions");
    check(
        packet
            .datagram()
            .slice(packet.payloadOffset(), packet.payloadBytes())
            .equals(again.datagram().slice(again.payloadOffset(), again.payloadBytes())),
        "payload");
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
