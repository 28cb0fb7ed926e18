package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Datagrams written by hand from BEP 29's header diagram, decoded and encoded. */
class PacketVectorTest {
  private final Packet packet = new Packet();

  @Test
  void dataPacket() {
    // BEP 29, header format: "All fields are in network byte order (big endian)."
    // type 0, version 1, no extension, id 0x1234, time 0x01020304, difference 0x05060708,
    // window 0x00100000, seq 0x0a0b, ack 0x0c0d, payload "hello"
    byte[] bytes = hex("01 00 1234 01020304 05060708 00100000 0a0b 0c0d 68656c6c6f");

    decode(bytes);

    assertThat(packet.type()).isEqualTo(PacketType.ST_DATA);
    assertThat(packet.connectionId()).isEqualTo(0x1234);
    assertThat(packet.timestampMicros()).isEqualTo(0x0102_0304);
    assertThat(packet.timestampDifferenceMicros()).isEqualTo(0x0506_0708);
    assertThat(packet.wndSizeBytes()).isEqualTo(1_048_576);
    assertThat(packet.seqNr()).isEqualTo(0x0a0b);
    assertThat(packet.ackNr()).isEqualTo(0x0c0d);
    assertThat(packet.payloadOffset()).isEqualTo(20);
    assertThat(packet.payloadBytes()).isEqualTo(5);
    assertThat(packet.datagramBytes()).isEqualTo(25);
    assertThat(packet.selectiveAckBits()).isZero();
    assertThat(packet.hasExtensionBits()).isFalse();
    assertThat(packet.closeReason()).isZero();
    ByteBuffer out = ByteBuffer.allocate(64);
    new PacketWriter()
        .begin(
            out, PacketType.ST_DATA, 0x1234, 0x0102_0304, 0x0506_0708, 1_048_576, 0x0a0b, 0x0c0d);
    out.put(hex("68656c6c6f"));
    assertWritten(out, bytes);
  }

  @Test
  void finPacketWithTheLargestFields() {
    // BEP 29, wnd_size: "This is 32 bits wide and specified in bytes."
    byte[] bytes = hex("11 00 ffff ffffffff ffffffff ffffffff ffff ffff");

    decode(bytes);

    assertThat(packet.type()).isEqualTo(PacketType.ST_FIN);
    assertThat(packet.connectionId()).isEqualTo(0xffff);
    assertThat(packet.timestampMicros()).isEqualTo(-1);
    assertThat(packet.timestampDifferenceMicros()).isEqualTo(-1);
    assertThat(packet.wndSizeBytes()).isEqualTo(4_294_967_295L);
    assertThat(packet.seqNr()).isEqualTo(0xffff);
    assertThat(packet.ackNr()).isEqualTo(0xffff);
    assertThat(packet.payloadBytes()).isZero();
    ByteBuffer out = ByteBuffer.allocate(20);
    new PacketWriter()
        .begin(out, PacketType.ST_FIN, 0x1_ffff, -1, -1, 0xffff_ffffL, 0x1_ffff, 0x1_ffff);
    assertWritten(out, bytes);
  }

  @Test
  void statePacketWithASelectiveAck() {
    // BEP 29, Selective ACK: "The least significant bit in the byte represents ack_nr + 2, the most
    // significant bit in the byte represents ack_nr + 2 + 7. The next byte in the mask represents
    // [ack_nr + 2 + 8, ack_nr + 2 + 15] in reverse order, and so on."
    // Bits: byte 0 = 0x01 is ack_nr + 2, byte 1 = 0x80 is ack_nr + 17, byte 3 = 0x40 is ack_nr +
    // 32.
    byte[] bytes = hex("21 01 0007 00000001 00000002 00000000 0003 0004 00 04 01800040");

    decode(bytes);

    assertThat(packet.type()).isEqualTo(PacketType.ST_STATE);
    assertThat(packet.wndSizeBytes()).isZero();
    assertThat(packet.selectiveAckBits()).isEqualTo(32);
    for (int bit = 0; bit < 32; bit++) {
      assertThat(packet.isSelectivelyAcked(bit))
          .as("ack_nr + %d", bit + 2)
          .isEqualTo(bit == 0 || bit == 15 || bit == 30);
    }
    assertThat(packet.payloadBytes()).isZero();
    ByteBuffer out = ByteBuffer.allocate(26);
    PacketWriter writer = new PacketWriter().begin(out, PacketType.ST_STATE, 7, 1, 2, 0, 3, 4);
    int at = writer.selectiveAck(4);
    writer.setSelectiveAckBit(at, 30);
    writer.setSelectiveAckBit(at, 0);
    writer.setSelectiveAckBit(at, 15);
    assertWritten(out, bytes);
  }

  @Test
  void resetPacketWithACloseReason() {
    byte[] bytes = hex("31 03 00ff 00000000 00000000 00000000 0000 8000 00 04 00000017");

    decode(bytes);

    assertThat(packet.type()).isEqualTo(PacketType.ST_RESET);
    assertThat(packet.ackNr()).isEqualTo(0x8000);
    assertThat(packet.closeReason()).isEqualTo(0x17);
    ByteBuffer out = ByteBuffer.allocate(26);
    new PacketWriter().begin(out, PacketType.ST_RESET, 0xff, 0, 0, 0, 0, 0x8000).closeReason(0x17);
    assertWritten(out, bytes);
  }

  @Test
  void synPacketWithExtensionBits() {
    // BEP 29, extension: "There is currently one extension: 1. Selective acks"
    byte[] bytes = hex("41 02 abcd 80000000 00000000 00400000 0001 0000 00 08 0000000000000001");

    decode(bytes);

    assertThat(packet.type()).isEqualTo(PacketType.ST_SYN);
    assertThat(packet.timestampMicros()).isEqualTo(Integer.MIN_VALUE);
    assertThat(packet.hasExtensionBits()).isTrue();
    assertThat(packet.extensionBits()).isEqualTo(1);
    ByteBuffer out = ByteBuffer.allocate(30);
    new PacketWriter()
        .begin(out, PacketType.ST_SYN, 0xabcd, Integer.MIN_VALUE, 0, 4 << 20, 1, 0)
        .extensionBits(1);
    assertWritten(out, bytes);
  }

  @Test
  void unknownExtensionsAreSkippedWhereverTheyStandInTheChain() {
    // BEP 29, extension: "Unknown extensions can be skipped by simply advancing len bytes."
    // BEP 29, extension: "0 terminates the list. And len specifies the number of bytes of this
    // extension."
    // 0x77 (3 bytes), selective ack, 0xfe (empty), close reason, 0x04 (1 byte), payload "ab"
    byte[] bytes =
        hex(
            "01 77 0001 00000000 00000000 00000000 0000 0000"
                + "01 03 aabbcc"
                + "fe 04 10000000"
                + "03 00"
                + "04 04 00000002"
                + "00 01 ff"
                + "6162");

    decode(bytes);

    assertThat(packet.selectiveAckBits()).isEqualTo(32);
    assertThat(packet.isSelectivelyAcked(4)).isTrue();
    assertThat(packet.isSelectivelyAcked(3)).isFalse();
    assertThat(packet.closeReason()).isEqualTo(2);
    assertThat(packet.payloadOffset()).isEqualTo(42);
    assertThat(packet.payloadBytes()).isEqualTo(2);
  }

  @Test
  void theLongestSelectiveAckIsReadToItsLastBit() {
    // BEP 29, Selective ACK: "The bitmask is not limited to 32 bits but can be of any size."
    byte[] bits = new byte[252];
    bits[251] = (byte) 0x80;
    byte[] bytes =
        hex(
            "21 01 0000 00000000 00000000 00000000 0000 0000 00 fc"
                + HexFormat.of().formatHex(bits));

    decode(bytes);

    assertThat(packet.selectiveAckBits()).isEqualTo(2_016);
    assertThat(packet.isSelectivelyAcked(2_015)).isTrue();
    assertThat(packet.isSelectivelyAcked(2_014)).isFalse();
  }

  @Test
  void nothingOfAnEarlierPacketIsLeftInTheNext() {
    decode(
        hex(
            "31 01 0000 00000000 00000000 00000000 0000 0000"
                + "02 04 ffffffff 03 08 ffffffffffffffff 00 04 0000ffff"));
    assertThat(packet.closeReason()).isEqualTo(0xffff);

    decode(hex("21 00 0000 00000000 00000000 00000000 0000 0000"));

    assertThat(packet.selectiveAckBits()).isZero();
    assertThat(packet.hasExtensionBits()).isFalse();
    assertThat(packet.closeReason()).isZero();
    assertThat(packet.payloadBytes()).isZero();
  }

  @Test
  void decodingReadsOnlyItsRangeOfAnyKindOfBuffer() {
    byte[] bytes = hex("01 01 1234 01020304 05060708 00100000 0a0b 0c0d 00 04 02000000 68656c6c6f");
    IntFunction<ByteBuffer> heap = ByteBuffer::allocate;
    IntFunction<ByteBuffer> direct = ByteBuffer::allocateDirect;
    IntFunction<ByteBuffer> slice = n -> ByteBuffer.allocate(n + 11).slice(11, n);
    for (IntFunction<ByteBuffer> kind : java.util.List.of(heap, direct, slice)) {
      for (int offset : new int[] {0, 1, 3, 1_400}) {
        ByteBuffer buffer = kind.apply(offset + bytes.length + 9);
        for (int i = 0; i < buffer.capacity(); i++) {
          buffer.put(i, (byte) 0xee);
        }
        buffer.put(offset, bytes);
        buffer.position(2).limit(offset + bytes.length + 5);

        assertThat(packet.decode(buffer, offset, bytes.length)).isNull();

        assertThat(packet.connectionId()).isEqualTo(0x1234);
        assertThat(packet.isSelectivelyAcked(1)).isTrue();
        assertThat(packet.isSelectivelyAcked(0)).isFalse();
        assertThat(packet.payloadOffset()).isEqualTo(offset + 26);
        assertThat(packet.payloadBytes()).isEqualTo(5);
        assertThat(packet.datagram().get(packet.payloadOffset())).isEqualTo((byte) 'h');
        assertThat(buffer.position()).isEqualTo(2);
        assertThat(buffer.limit()).isEqualTo(offset + bytes.length + 5);
        assertThat(packet.decode(buffer.asReadOnlyBuffer(), offset, bytes.length)).isNull();
      }
    }
  }

  private void decode(byte[] bytes) {
    assertThat(packet.decode(ByteBuffer.wrap(bytes), 0, bytes.length)).isNull();
  }

  private static void assertWritten(ByteBuffer out, byte[] expected) {
    byte[] written = new byte[out.position()];
    out.get(0, written);
    assertThat(written).isEqualTo(expected);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
