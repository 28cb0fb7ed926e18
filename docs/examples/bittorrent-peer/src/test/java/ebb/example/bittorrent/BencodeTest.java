package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BencodeTest {
  private static Bencode.Value parse(String text) throws ProtocolException {
    return Bencode.parse(text.getBytes(ISO_8859_1));
  }

  @Test
  void readsTheExamplesOfBep3() throws ProtocolException {
    assertThat(((Bencode.Text) parse("4:spam")).bytes()).isEqualTo("spam".getBytes(ISO_8859_1));
    assertThat(parse("i3e")).isEqualTo(new Bencode.Int(3));
    assertThat(parse("i-3e")).isEqualTo(new Bencode.Int(-3));
    assertThat(parse("i0e")).isEqualTo(new Bencode.Int(0));
    assertThat(((Bencode.Sequence) parse("l4:spam4:eggse")).values()).hasSize(2);
    Bencode.Dictionary dictionary = (Bencode.Dictionary) parse("d3:cow3:moo4:spaml1:a1:bee");
    assertThat(dictionary.entries().keySet()).containsExactly("cow", "spam");
    assertThat(dictionary.start()).isZero();
    assertThat(dictionary.end()).isEqualTo(26);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "i",
        "ie",
        "i-0e",
        "i03e",
        "i+3e",
        "i3",
        "i9223372036854775808e",
        "i111111111111111111111111111111e",
        "5:spam",
        "-1:",
        "01:a",
        "99999999999:a",
        "2147483647:a",
        "4spam",
        "l",
        "li1e",
        "d3:cowe",
        "di1ei2ee",
        "d1:b0:1:a0:e",
        "d1:a0:1:a0:e",
        "x",
        "i1ei2e",
        "\u00ff"
      })
  void refusesWhatIsNotBencoding(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void depthIsBounded() throws ProtocolException {
    int most = Bencode.MAX_DEPTH;
    assertThat(parse("l".repeat(most + 1) + "e".repeat(most + 1))).isNotNull();
    assertThatThrownBy(() -> parse("l".repeat(most + 2) + "e".repeat(most + 2)))
        .hasMessageContaining("nested");
    assertThatThrownBy(() -> parse("l".repeat(5_000_000))).hasMessageContaining("nested");
    assertThatThrownBy(() -> parse("d0:".repeat(1_000_000))).hasMessageContaining("nested");
  }

  @Test
  void theNumberOfValuesIsBounded() throws ProtocolException {
    int most = Bencode.MAX_VALUES;
    assertThat(parse("l" + "0:".repeat(most - 1) + "e")).isNotNull();
    assertThatThrownBy(() -> parse("l" + "0:".repeat(most) + "e")).hasMessageContaining("values");
  }

  @Test
  void anyChangeOfATorrentIsReadOrRefusedInOrder() {
    byte[] good =
        ("d4:infod6:lengthi40000e4:name1:x12:piece lengthi32768e6:pieces40:"
                + "h".repeat(40)
                + "ee")
            .getBytes(ISO_8859_1);
    SplittableRandom random = new SplittableRandom(4);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = good.clone();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      try {
        Metainfo torrent = Metainfo.parse(changed);
        assertThat(torrent.pieceCount()).isEqualTo(2);
        assertThat(torrent.pieceStart(1) + torrent.pieceLength(1)).isEqualTo(torrent.length());
      } catch (ProtocolException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }
}
