package ebb.ledbat.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MalformedPacketTest {
  private static final String REST = "0000 00000000 00000000 00000000 0000 0000";

  private final Packet packet = new Packet();

  @Test
  void everyHeaderThatIsTooShort() {
    for (int length = 0; length < Packet.HEADER_BYTES; length++) {
      assertThat(packet.decode(ByteBuffer.allocate(64), 0, length))
          .isEqualTo(MalformedReason.TRUNCATED_HEADER);
    }
  }

  @Test
  void aNegativeLengthIsTooShortToo() {
    assertThat(packet.decode(ByteBuffer.allocate(64), 0, -1))
        .isEqualTo(MalformedReason.TRUNCATED_HEADER);
  }

  @Test
  void everyVersionButOne() {
    // BEP 29, version: "The current version is 1."
    for (int version = 0; version < 16; version++) {
      assertThat(decode(String.format("0%x 00 ", version) + REST))
          .as("version %d", version)
          .isEqualTo(version == 1 ? null : MalformedReason.BAD_VERSION);
    }
  }

  @Test
  void everyTypeAboveFour() {
    for (int type = 0; type < 16; type++) {
      assertThat(decode(String.format("%x1 00 ", type) + REST))
          .as("type %d", type)
          .isEqualTo(type <= 4 ? null : MalformedReason.BAD_TYPE);
    }
  }

  @Test
  void anExtensionWithoutItsHeader() {
    assertThat(decode("21 01 " + REST)).isEqualTo(MalformedReason.EXTENSION_OVERRUN);
    assertThat(decode("21 01 " + REST + "00")).isEqualTo(MalformedReason.EXTENSION_OVERRUN);
  }

  @Test
  void anExtensionThatRunsPastTheEnd() {
    assertThat(decode("21 01 " + REST + "00 04 000000"))
        .isEqualTo(MalformedReason.EXTENSION_OVERRUN);
    assertThat(decode("21 77 " + REST + "00 ff")).isEqualTo(MalformedReason.EXTENSION_OVERRUN);
  }

  @Test
  void theSecondExtensionOfAChainThatRunsPastTheEnd() {
    assertThat(decode("21 01 " + REST + "02 04 00000000 00 08 00000000000000"))
        .isEqualTo(MalformedReason.EXTENSION_OVERRUN);
    assertThat(decode("21 01 " + REST + "02 04 00000000"))
        .isEqualTo(MalformedReason.EXTENSION_OVERRUN);
  }

  @Test
  void anOverrunIsFoundEvenWhereTheBufferGoesOn() {
    byte[] bytes = HexFormat.of().parseHex(("21 01 " + REST + "00 04 00000000").replace(" ", ""));
    ByteBuffer buffer = ByteBuffer.allocate(100).put(0, bytes);
    assertThat(packet.decode(buffer, 0, bytes.length)).isNull();
    for (int length = Packet.HEADER_BYTES; length < bytes.length; length++) {
      assertThat(packet.decode(buffer, 0, length)).isEqualTo(MalformedReason.EXTENSION_OVERRUN);
    }
  }

  @Test
  void aChainLongerThanAnyHonestOne() {
    assertThat(decode("21 77 " + REST + "77 00".repeat(259) + "00 00")).isNull();
    assertThat(decode("21 77 " + REST + "77 00".repeat(260) + "00 00"))
        .isEqualTo(MalformedReason.TOO_MANY_EXTENSIONS);
    // As long as a datagram can be.
    assertThat(decode("21 01 " + REST + "01 00".repeat(32_000)))
        .isEqualTo(MalformedReason.BAD_SELECTIVE_ACK);
    assertThat(decode("21 77 " + REST + "77 00".repeat(32_000)))
        .isEqualTo(MalformedReason.TOO_MANY_EXTENSIONS);
  }

  @Test
  void everyLengthOfASelectiveAck() {
    for (int bytes = 0; bytes < 256; bytes++) {
      assertThat(decode("21 01 " + REST + String.format("00 %02x", bytes) + "00".repeat(bytes)))
          .as("%d bytes", bytes)
          .isEqualTo(bytes > 0 ? null : MalformedReason.BAD_SELECTIVE_ACK);
    }
  }

  @Test
  void everyLengthOfTheFixedExtensions() {
    for (int bytes = 0; bytes < 256; bytes++) {
      String extension = String.format("00 %02x", bytes) + "00".repeat(bytes);
      assertThat(decode("21 02 " + REST + extension))
          .isEqualTo(bytes == 8 ? null : MalformedReason.BAD_EXTENSION_LENGTH);
      assertThat(decode("21 03 " + REST + extension))
          .isEqualTo(bytes == 4 ? null : MalformedReason.BAD_EXTENSION_LENGTH);
    }
  }

  @Test
  void everyReasonHasADatagramThatShowsIt() {
    Set<MalformedReason> seen = EnumSet.noneOf(MalformedReason.class);
    for (String text :
        new String[] {
          "21",
          "22 00 " + REST,
          "51 00 " + REST,
          "21 09 " + REST,
          "21 77 " + REST + "77 00".repeat(300),
          "21 01 " + REST + "00 00",
          "21 02 " + REST + "00 04 00000000"
        }) {
      MalformedReason reason = decode(text);
      if (reason != null) {
        seen.add(reason);
      }
    }
    assertThat(seen).isEqualTo(EnumSet.allOf(MalformedReason.class));
  }

  private @Nullable MalformedReason decode(String text) {
    byte[] bytes = HexFormat.of().parseHex(text.replace(" ", ""));
    return packet.decode(ByteBuffer.wrap(bytes), 0, bytes.length);
  }
}
