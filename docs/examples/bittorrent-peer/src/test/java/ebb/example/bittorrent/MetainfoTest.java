package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetainfoTest {
  private static byte[] torrent(String name, String length, String pieceLength, int hashBytes) {
    String info =
        "d6:lengthi%se4:name%d:%s12:piece lengthi%se6:pieces%d:%se"
            .formatted(length, name.length(), name, pieceLength, hashBytes, "h".repeat(hashBytes));
    return ("d8:announce1:x4:info" + info + "3:zzzi1ee").getBytes(ISO_8859_1);
  }

  @Test
  void theInfoHashIsOfTheBytesAsTheyAre() throws Exception {
    byte[] file = torrent("name", "40000", "32768", 40);
    byte[] info = Arrays.copyOfRange(file, "d8:announce1:x4:info".length(), file.length - 9);
    Metainfo torrent = Metainfo.parse(file);
    assertThat(torrent.infoHash()).isEqualTo(MessageDigest.getInstance("SHA-1").digest(info));
    assertThat(torrent.name()).isEqualTo("name");
    assertThat(torrent.pieceCount()).isEqualTo(2);
    assertThat(torrent.pieceLength(0)).isEqualTo(32_768);
    assertThat(torrent.pieceLength(1)).isEqualTo(40_000 - 32_768);
  }

  @ParameterizedTest
  @CsvSource({
    "../x, 40000, 32768, 40",
    ".., 40000, 32768, 40",
    "a\\b, 40000, 32768, 40",
    "'', 40000, 32768, 40",
    "name, 0, 32768, 0",
    "name, -1, 32768, 20",
    "name, 40000, 0, 40",
    "name, 40000, -5, 40",
    "name, 40000, 32768, 20",
    "name, 40000, 32768, 60",
    "name, 40000, 32768, 41",
    "name, 40000, 16777217, 20",
    "name, 9223372036854775807, 1, 20",
  })
  void refusesWhatCannotBe(String name, String length, String pieceLength, int hashBytes) {
    assertThatThrownBy(() -> Metainfo.parse(torrent(name, length, pieceLength, hashBytes)))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void aTorrentThatWasMadeIsReadAndVerifiesItsFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("content");
    byte[] content = TestPeers.random(1, 100_000);
    Files.write(file, content);
    Metainfo torrent = Metainfo.parse(Metainfo.create(file, 32_768));
    assertThat(torrent.name()).isEqualTo("content");
    assertThat(torrent.length()).isEqualTo(content.length);
    assertThat(torrent.pieceCount()).isEqualTo(4);
    assertThat(torrent.isPiece(3, Arrays.copyOfRange(content, 3 * 32_768, 100_000))).isTrue();
    assertThat(torrent.isPiece(2, Arrays.copyOf(content, 32_768))).isFalse();
    try (PieceStore store = PieceStore.forSeed(torrent, file)) {
      assertThat(store.isComplete()).isTrue();
    }
  }
}
