package ebb.example.bittorrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a peer does because there are several others: whom it serves, and what it fetches first. */
class SwarmRulesTest {
  private static final int PIECES = 8;
  private static final int PIECE_BYTES = Block.MAX_BYTES;
  private static final byte[] CONTENT = TestPeers.random(3, PIECES * PIECE_BYTES);

  @TempDir Path directory;
  private Path source;
  private Metainfo metainfo;

  @BeforeEach
  void make() throws Exception {
    source = Files.write(directory.resolve("source"), CONTENT);
    metainfo = TestPeers.torrentOf(source, PIECE_BYTES);
  }

  private PeerSession begin(Torrent torrent, int peer) throws Exception {
    PeerSession session = new PeerSession(torrent, TestPeers.random(99, 20), false);
    session.receive(Handshake.encode(metainfo, TestPeers.random(peer, 20)));
    return session;
  }

  /** Whether it was told since the last time that it is served, or is no more; null for neither. */
  private static PeerMessage word(PeerSession session) throws Exception {
    PeerMessage last = null;
    MessageDecoder decoder = new MessageDecoder(PIECES);
    for (ByteBuffer out = session.next(1 << 16); out != null; out = session.next(1 << 16)) {
      if (out.remaining() >= Handshake.BYTES && out.get(out.position()) == 19) {
        out.position(out.position() + Handshake.BYTES);
      }
      for (PeerMessage next = decoder.next(out); next != null; next = decoder.next(out)) {
        boolean isWord = next == PeerMessage.Plain.CHOKE || next == PeerMessage.Plain.UNCHOKE;
        last = isWord ? next : last;
      }
    }
    return last;
  }

  @Test
  void fiveAreServedAndMeritKeepsAPlaceWhileTheFifthChanges() throws Exception {
    try (PieceStore store = PieceStore.forSeed(metainfo, source)) {
      Torrent torrent = new Torrent(store, 0, piece -> {});
      List<PeerSession> peers = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        PeerSession session = begin(torrent, i);
        session.receive(PeerMessage.Plain.INTERESTED.encode());
        assertThat(word(session)).isEqualTo(i < 5 ? PeerMessage.Plain.UNCHOKE : null);
        peers.add(session);
      }
      // The first three take something, the others nothing.
      boolean[] served = {true, true, true, true, true, false, false};
      boolean[] ever = served.clone();
      for (int review = 0; review < 12; review++) {
        for (int i = 0; i < 3; i++) {
          peers.get(i).receive(new PeerMessage.Request(new Block(0, 0, 1_000)).encode());
          assertThat(word(peers.get(i))).isNull();
        }
        torrent.slots().review(true);
        int now = 0;
        for (int i = 0; i < 7; i++) {
          PeerMessage word = word(peers.get(i));
          served[i] = word == null ? served[i] : word == PeerMessage.Plain.UNCHOKE;
          ever[i] |= served[i];
          now += served[i] ? 1 : 0;
        }
        assertThat(now).isEqualTo(5);
        assertThat(served).startsWith(true, true, true);
      }
      assertThat(ever).doesNotContain(false);
      // A place that is given up is the next one's at once.
      int gone = 0;
      peers.get(gone).receive(PeerMessage.Plain.NOT_INTERESTED.encode());
      assertThat(word(peers.get(gone))).isEqualTo(PeerMessage.Plain.CHOKE);
      int unchoked = 0;
      for (int i = 1; i < 7; i++) {
        unchoked += word(peers.get(i)) == PeerMessage.Plain.UNCHOKE ? 1 : 0;
      }
      assertThat(unchoked).isEqualTo(1);
    }
  }

  @Test
  void theRarestPieceIsFetchedFirstAndOneOfThoseThatAreEquallyRareByChance() throws Exception {
    try (PieceStore store = PieceStore.forDownload(metainfo, directory.resolve("copy"))) {
      Torrent torrent = new Torrent(store, 5, piece -> {});
      BitSet all = new BitSet();
      all.set(0, PIECES);
      BitSet most = (BitSet) all.clone();
      most.clear(3);
      PeerSession seed = begin(torrent, 1);
      PeerSession other = begin(torrent, 2);
      seed.receive(new PeerMessage.Bitfield(all, PIECES).encode());
      other.receive(new PeerMessage.Bitfield(most, PIECES).encode());
      assertThat(torrent.claim(all)).isEqualTo(3);
      assertThat(torrent.claim(all)).isEqualTo(5);
      assertThat(torrent.claim(all)).isEqualTo(6);
      other.close(); // What it had is as rare as the rest now.
      torrent.release(3);
      assertThat(torrent.claim(all)).isEqualTo(7);
    }
  }

  @Test
  void whatAPeerThatServesNoMoreHadBegunIsForOthersAfterAWhile() throws Exception {
    try (PieceStore store = PieceStore.forDownload(metainfo, directory.resolve("copy"))) {
      Torrent torrent = new Torrent(store, 0, piece -> {});
      BitSet one = new BitSet();
      one.set(0);
      PeerSession session = begin(torrent, 1);
      session.receive(new PeerMessage.Bitfield(one, PIECES).encode());
      session.receive(PeerMessage.Plain.UNCHOKE.encode());
      word(session);
      assertThat(torrent.claim(one)).isEqualTo(-1);
      session.receive(PeerMessage.Plain.CHOKE.encode());
      for (int i = 0; i < 10; i++) {
        session.tick();
      }
      assertThat(torrent.claim(one)).isZero();
    }
  }

  @Test
  @Timeout(60)
  void whoeverExitsWithOneSaysWhy() throws Exception {
    Path torrent = directory.resolve("torrent");
    Files.write(torrent, Metainfo.create(source, PIECE_BYTES));
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      String[] args = {
        "download",
        torrent.toString(),
        directory.resolve("copy").toString(),
        "--listen",
        "127.0.0.1:" + taken.getLocalPort()
      };
      PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
      assertThat(Main.run(args, nowhere, new PrintStream(err))).isEqualTo(1);
      assertThat(err.toString().lines().toList()).hasSize(1);
      assertThat(err.toString()).startsWith("error: ");
    }
  }
}
