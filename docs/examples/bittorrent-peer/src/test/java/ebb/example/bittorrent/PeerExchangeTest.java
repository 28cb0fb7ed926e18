package ebb.example.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.example.bittorrent.TestPeers.Peer;
import ebb.ledbat.connection.ConnectionStats;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import se.sics.kompics.Kompics;

/** Whole peers on sockets of the loopback interface. */
class PeerExchangeTest {
  private static final int PIECE_BYTES = 256 << 10;
  private static final byte[] CONTENT = TestPeers.random(7, (8 << 20) + 12_345);

  @TempDir Path directory;
  private Path source;
  private Path target;
  private Metainfo torrent;

  @BeforeEach
  void make() throws Exception {
    source = directory.resolve("source");
    target = directory.resolve("target");
    Files.write(source, CONTENT);
    torrent = TestPeers.torrentOf(source, PIECE_BYTES);
  }

  @AfterEach
  void stop() {
    Kompics.shutdown();
  }

  @Test
  void theDownloaderConnectsAndBothEndInOrder() throws Exception {
    Peer seed = Peer.seeding(torrent, source);
    Peer downloader = Peer.downloading(torrent, target);
    TestPeers.start(seed, downloader);
    InetSocketAddress there = seed.listening();
    downloader.listening();
    downloader.join(there);

    downloader.next(TorrentPort.Complete.class);
    TorrentPort.PeerLeft left = downloader.next(TorrentPort.PeerLeft.class);
    assertThat(left.inOrder()).isTrue();
    assertThat(seed.next(TorrentPort.PeerLeft.class).inOrder()).isTrue();
    assertThat(TestPeers.content(target)).isEqualTo(CONTENT);
    // Every byte came once.
    ConnectionStats stats = left.stats();
    assertThat(stats.bytesReceived()).isBetween((long) CONTENT.length, CONTENT.length + 20_000L);
  }

  @Test
  void theSeedConnectsToADownloaderThatHasTheFirstHalfAlready() throws Exception {
    Files.write(target, Arrays.copyOf(CONTENT, 4 << 20));
    Peer seed = Peer.seeding(torrent, source);
    Peer downloader = Peer.downloading(torrent, target);
    TestPeers.start(seed, downloader);
    InetSocketAddress there = downloader.listening();
    seed.listening();
    seed.join(there);

    downloader.next(TorrentPort.Complete.class);
    TorrentPort.PeerLeft left = downloader.next(TorrentPort.PeerLeft.class);
    assertThat(left.inOrder()).isTrue();
    assertThat(TestPeers.content(target)).isEqualTo(CONTENT);
    assertThat(left.stats().bytesReceived())
        .isBetween(CONTENT.length - (4L << 20), CONTENT.length - (4L << 20) + 20_000);
  }

  @Test
  void aWrongPieceIsRefusedAndFetchedFromAnotherPeer() throws Exception {
    Path spoiled = directory.resolve("spoiled");
    Files.write(spoiled, CONTENT);
    Peer liar = Peer.seeding(torrent, spoiled);
    // Verified when it was opened, and changed since.
    try (FileChannel file = FileChannel.open(spoiled, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {(byte) ~CONTENT[100]}), 100);
    }
    Peer seed = Peer.seeding(torrent, source);
    Peer downloader = Peer.downloading(torrent, target);
    TestPeers.start(liar, seed, downloader);
    InetSocketAddress badAddress = liar.listening();
    InetSocketAddress goodAddress = seed.listening();
    downloader.listening();

    downloader.join(badAddress);
    TorrentPort.PeerLeft thrownOut = downloader.next(TorrentPort.PeerLeft.class);
    assertThat(thrownOut.peer()).isEqualTo(badAddress);
    assertThat(thrownOut.reason()).contains("piece 0 has the wrong hash");
    downloader.join(goodAddress);
    downloader.next(TorrentPort.Complete.class);
    assertThat(downloader.next(TorrentPort.PeerLeft.class).inOrder()).isTrue();
    assertThat(TestPeers.content(target)).isEqualTo(CONTENT);
  }

  @Test
  void aDownloaderServesAnotherBeforeItIsComplete() throws Exception {
    Peer seed = Peer.seeding(torrent, source);
    Peer first = Peer.downloading(torrent, target);
    Path secondTarget = directory.resolve("second");
    Peer second = Peer.downloading(torrent, secondTarget);
    TestPeers.start(seed, first, second);
    InetSocketAddress seedAddress = seed.listening();
    InetSocketAddress firstAddress = first.listening();
    second.listening();
    // The second knows only the first, and hears of each piece as it is verified there.
    second.join(firstAddress);
    second.next(TorrentPort.PeerJoined.class);
    first.join(seedAddress);
    for (Peer peer : List.of(first, second)) {
      peer.next(TorrentPort.Complete.class);
    }
    assertThat(TestPeers.content(target)).isEqualTo(CONTENT);
    assertThat(TestPeers.content(secondTarget)).isEqualTo(CONTENT);
  }

  @Test
  void aPeerWithAnotherTorrentIsSentAway() throws Exception {
    Path other = directory.resolve("other");
    Files.write(other, TestPeers.random(8, 100_000));
    Peer seed = Peer.seeding(torrent, source);
    Peer stranger = Peer.seeding(TestPeers.torrentOf(other, PIECE_BYTES), other);
    TestPeers.start(seed, stranger);
    InetSocketAddress there = seed.listening();
    stranger.listening();
    stranger.join(there);
    assertThat(seed.next(TorrentPort.PeerLeft.class).reason()).contains("another torrent");
    assertThat(stranger.next(TorrentPort.PeerLeft.class).reason()).contains("RESET_BY_PEER");
  }
}
