package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketWriterTest {
  private final Packet packet = new Packet();
  private final PacketWriter writer = new PacketWriter();

  @Test
  void paddingIsExactAndLeavesThePayloadIntact() {
    byte[] payload = {1, 2, 3, 4, 5, 6, 7};
    for (int padding = 2; padding <= 2_000; padding++) {
      ByteBuffer out = ByteBuffer.allocate(4_096);
      for (int i = 0; i < out.capacity(); i++) {
        out.put(i, (byte) 0xee);
      }
      begin(out).padding(padding);
      out.put(payload);
      int length = out.position();

      assertThat(length).isEqualTo(Packet.HEADER_BYTES + padding + payload.length);
      assertThat(packet.decode(out, 0, length)).as("padding %d", padding).isNull();
      assertThat(packet.datagramBytes()).isEqualTo(length);
      assertThat(packet.payloadBytes()).isEqualTo(payload.length);
      byte[] read = new byte[payload.length];
      out.get(packet.payloadOffset(), read);
      assertThat(read).isEqualTo(payload);
    }
  }

  @Test
  void thePaddingOfTheLargestDatagramIsAccepted() {
    int padding = 65_507 - Packet.HEADER_BYTES;
    ByteBuffer out = ByteBuffer.allocate(65_507);
    begin(out).padding(padding);
    assertThat(out.remaining()).isZero();
    assertThat(packet.decode(out, 0, 65_507)).isNull();
    assertThat(packet.payloadBytes()).isZero();
  }

  @Test
  void aProbesPaddingIsExactAndBeginsWithAnExtensionBelowThree() {
    for (int padding = PacketWriter.MIN_PROBE_PADDING_BYTES; padding <= 2_000; padding++) {
      ByteBuffer out = ByteBuffer.allocate(4_096);
      begin(out).probePadding(0x4542_4201_0000_0000L, padding);
      out.put((byte) 7);
      assertThat(out.position()).isEqualTo(Packet.HEADER_BYTES + padding + 1);
      // libutp, utp_internal.cpp: UTP_Version() is 0 unless "pf->ext < 3".
      assertThat(out.get(1)).isEqualTo((byte) 2);
      // It refuses any other length of extension 2 than 8.
      assertThat(out.get(Packet.HEADER_BYTES + 1)).isEqualTo((byte) 8);
      assertThat(packet.decode(out, 0, out.position())).isNull();
      assertThat(packet.extensionBits()).isEqualTo(0x4542_4201_0000_0000L);
      assertThat(packet.payloadBytes()).isEqualTo(1);
    }
    begin(ByteBuffer.allocate(64));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.probePadding(0, PacketWriter.MIN_PROBE_PADDING_BYTES - 1));
  }

  @Test
  void noPaddingIsNoExtension() {
    ByteBuffer out = ByteBuffer.allocate(20);
    begin(out).padding(0);
    assertThat(out.position()).isEqualTo(20);
    assertThat(out.get(1)).isZero();
  }

  @Test
  void paddingOfOneByteIsRefusedBeforeAnythingIsWritten() {
    ByteBuffer out = ByteBuffer.allocate(64);
    begin(out);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.padding(1))
        .withMessage("padding must be 0 or at least 2 bytes: 1");
    assertThatIllegalArgumentException().isThrownBy(() -> writer.padding(-5));
    assertThat(out.position()).isEqualTo(20);
    assertThat(out.get(1)).isZero();
  }

  @Test
  void aSelectiveAckOfAnImpossibleLengthIsRefused() {
    // BEP 29, Selective ACK: "in this extension must be at least 4, and in multiples of 4."
    begin(ByteBuffer.allocate(600));
    for (int bytes : new int[] {-4, 0, 3, 6, 255, 256, 260}) {
      assertThatIllegalArgumentException().isThrownBy(() -> writer.selectiveAck(bytes));
    }
  }

  @Test
  void theWindowIsClampedToItsField() {
    ByteBuffer out = ByteBuffer.allocate(20);
    writer.begin(out, PacketType.ST_STATE, 0, 0, 0, 1L << 40, 0, 0);
    assertThat(packet.decode(out, 0, 20)).isNull();
    assertThat(packet.wndSizeBytes()).isEqualTo(0xffff_ffffL);
    out.clear();
    writer.begin(out, PacketType.ST_STATE, 0, 0, 0, -1, 0, 0);
    assertThat(packet.decode(out, 0, 20)).isNull();
    assertThat(packet.wndSizeBytes()).isZero();
  }

  @Test
  void packetsOfABurstDoNotTouchEachOther() {
    ByteBuffer out = ByteBuffer.allocate(200);
    begin(out).padding(10);
    int second = out.position();
    int at = begin(out).selectiveAck(4);
    writer.setSelectiveAckBit(at, 31);
    int end = out.position();

    assertThat(packet.decode(out, 0, second)).isNull();
    assertThat(packet.selectiveAckBits()).isZero();
    assertThat(packet.decode(out, second, end - second)).isNull();
    assertThat(packet.isSelectivelyAcked(31)).isTrue();
    assertThat(packet.isSelectivelyAcked(30)).isFalse();
  }

  @Test
  void everythingWrittenIsReadBack() {
    Random random = new Random(29);
    for (int round = 0; round < 20_000; round++) {
      boolean direct = random.nextBoolean();
      ByteBuffer out = direct ? ByteBuffer.allocateDirect(3_000) : ByteBuffer.allocate(3_000);
      int start = random.nextInt(50);
      out.position(start);
      PacketType type = PacketType.values()[random.nextInt(5)];
      int id = random.nextInt(0x1_0000);
      int timestamp = random.nextInt();
      int difference = random.nextInt();
      long window = random.nextLong(1L << 32);
      int seqNr = random.nextInt(0x1_0000);
      int ackNr = random.nextInt(0x1_0000);
      writer.begin(out, type, id, timestamp, difference, window, seqNr, ackNr);
      int sackBytes = random.nextInt(3) == 0 ? 4 + 4 * random.nextInt(63) : 0;
      boolean[] acked = new boolean[sackBytes * 8];
      if (sackBytes > 0) {
        int at = writer.selectiveAck(sackBytes);
        for (int bit = 0; bit < acked.length; bit++) {
          acked[bit] = random.nextInt(4) == 0;
          if (acked[bit]) {
            writer.setSelectiveAckBit(at, bit);
          }
        }
      }
      boolean hasBits = random.nextInt(4) == 0;
      long bits = random.nextLong();
      if (hasBits) {
        writer.extensionBits(bits);
      }
      int reason = random.nextInt(4) == 0 ? random.nextInt(0x1_0000) : 0;
      if (reason != 0) {
        writer.closeReason(reason);
      }
      int padding = random.nextInt(4) == 0 ? 2 + random.nextInt(600) : 0;
      writer.padding(padding);
      byte[] payload = new byte[random.nextInt(1_000)];
      random.nextBytes(payload);
      out.put(payload);

      assertThat(packet.decode(out, start, out.position() - start)).isNull();

      assertThat(packet.type()).isEqualTo(type);
      assertThat(packet.connectionId()).isEqualTo(id);
      assertThat(packet.timestampMicros()).isEqualTo(timestamp);
      assertThat(packet.timestampDifferenceMicros()).isEqualTo(difference);
      assertThat(packet.wndSizeBytes()).isEqualTo(window);
      assertThat(packet.seqNr()).isEqualTo(seqNr);
      assertThat(packet.ackNr()).isEqualTo(ackNr);
      boolean[] read = new boolean[packet.selectiveAckBits()];
      for (int bit = 0; bit < read.length; bit++) {
        read[bit] = packet.isSelectivelyAcked(bit);
      }
      assertThat(read).isEqualTo(acked);
      assertThat(packet.hasExtensionBits()).isEqualTo(hasBits);
      if (hasBits) {
        assertThat(packet.extensionBits()).isEqualTo(bits);
      }
      assertThat(packet.closeReason()).isEqualTo(reason);
      byte[] readPayload = new byte[packet.payloadBytes()];
      out.get(packet.payloadOffset(), readPayload);
      assertThat(readPayload).isEqualTo(payload);
    }
  }

  private PacketWriter begin(ByteBuffer out) {
    return writer.begin(out, PacketType.ST_DATA, 1, 2, 3, 4, 5, 6);
  }
}
