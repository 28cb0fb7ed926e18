package ebb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ebb.core.cli.TerminalText;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
  private static final Sha256 HASH = Sha256.of(Hashing.sha256().digest(new byte[0]));

  private static ByteBuffer encode(Frame frame) {
    ByteBuffer out = ByteBuffer.allocate(FrameCodec.MAX_ENCODED_BYTES);
    FrameCodec.encode(frame, out);
    return out.flip();
  }

  private static Frame decode(String hex, int type) throws ProtocolException {
    return FrameCodec.decode(type, ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
  }

  @Test
  void everyFrameComesBackAsItWas() throws ProtocolException {
    for (Frame frame :
        List.of(
            new Frame.Offer(7, false, 0751, Long.MAX_VALUE, -5, "a/ü/😀"),
            new Frame.Offer(0, true, FileMode.UNKNOWN, 0, 1, "d"),
            new Frame.Begin(1, 1L << 40),
            new Frame.Complete(9),
            new Frame.GiveUp(2, Refusal.SOURCE_CHANGED, "it became shorter"),
            new Frame.Ping(),
            new Frame.Bye(Integer.MAX_VALUE),
            new Frame.Send(3, 0),
            new Frame.Prove(4, 99),
            new Frame.Have(5),
            new Frame.Done(6),
            new Frame.Failed(8, Refusal.NO_SPACE, ""),
            new Frame.Leave(Refusal.BUSY, "no room"))) {
      ByteBuffer bytes = encode(frame);
      int type = bytes.get();
      assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
      assertThat(FrameCodec.decode(type, bytes)).isEqualTo(frame);
    }
  }

  @Test
  void hashesComeBackAsTheyWere() throws ProtocolException {
    ByteBuffer bytes = encode(new Frame.Proof(1, 2, HASH));
    bytes.position(Frame.HEADER_BYTES);
    Frame.Proof proof = (Frame.Proof) FrameCodec.decode(Frame.PROOF, bytes);

    assertThat(proof.sha256()).isEqualTo(HASH);
    assertThat(proof.lengthBytes()).isEqualTo(2);
  }

  @Test
  void anOfferIsLaidOutAsTheSpecificationSays() {
    ByteBuffer bytes = encode(new Frame.Offer(1, false, 0640, 0x1234, 0x55, "ab"));
    byte[] all = new byte[bytes.remaining()];
    bytes.get(all);

    assertThat(HexFormat.of().formatHex(all))
        .isEqualTo(
            "01"
                + "0000001b"
                + "00000001"
                + "00"
                + "01a0"
                + "0000000000001234"
                + "0000000000000055"
                + "0002"
                + "6162");
  }

  @Test
  void anythingElseIsRefused() {
    assertThatThrownBy(() -> decode("00", Frame.DONE))
        .hasMessage("a frame of type 19 is too short");
    assertThatThrownBy(() -> decode("0000000000", Frame.DONE))
        .hasMessage("a frame of type 19 is too long");
    assertThatThrownBy(() -> decode("80000000", Frame.DONE))
        .hasMessage("a file number out of range");
    assertThatThrownBy(() -> decode("00000000" + "8000000000000000", Frame.SEND))
        .hasMessage("a length out of range");
    assertThatThrownBy(() -> decode("", 99)).hasMessage("a frame of the unknown type 99");
    assertThatThrownBy(() -> decode("00000000" + "01" + "0003" + "6162", Frame.FAILED))
        .hasMessage("a text of 3 bytes");
    assertThatThrownBy(() -> decode("00000000" + "01" + "0002" + "c0af", Frame.FAILED))
        .hasMessage("a text that is not UTF-8");
    assertThatThrownBy(
            () ->
                decode(
                    "00000000"
                        + "01"
                        + "01a0"
                        + "0000000000000001"
                        + "0000000000000000"
                        + "0001"
                        + "61",
                    Frame.OFFER))
        .hasMessage("a directory with a size");
    assertThatThrownBy(
            () ->
                decode(
                    "00000000"
                        + "00"
                        + "0800"
                        + "0000000000000001"
                        + "0000000000000000"
                        + "0001"
                        + "61",
                    Frame.OFFER))
        .hasMessage("a mode out of range");
  }

  @Test
  void longReasonsAreCut() throws ProtocolException {
    ByteBuffer bytes = encode(new Frame.Failed(1, Refusal.STORAGE, "é".repeat(5_000)));
    bytes.position(Frame.HEADER_BYTES);
    Frame.Failed failed = (Frame.Failed) FrameCodec.decode(Frame.FAILED, bytes);

    assertThat(failed.reason()).isEqualTo("é".repeat(300));
  }

  @Test
  void controlCharactersAreNotPrinted() {
    assertThat(TerminalText.printable("a\u001b[2Jb\n\u202ec\u0085"))
        .isEqualTo("a\\u001b[2Jb\\u000a\\u202ec\\u0085");
  }
}
