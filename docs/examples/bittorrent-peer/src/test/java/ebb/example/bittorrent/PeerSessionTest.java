package ebb.example.bittorrent;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One side of BEP 3, whose peer is this test. */
class PeerSessionTest {
  private static final int PIECES = 20;
  private static final int PIECE_BYTES = 1 << 20;
  private static final byte[] CONTENT = TestPeers.random(7, PIECES * PIECE_BYTES);
  private static final byte[] OWN_ID = TestPeers.random(1, 20);
  private static final byte[] PEER_ID = TestPeers.random(2, 20);

  @TempDir Path directory;
  private Metainfo torrent;
  private PieceStore store;
  private final List<Integer> verified = new ArrayList<>();

  @BeforeEach
  void makeATorrent() throws Exception {
    Path source = directory.resolve("source");
    Files.write(source, CONTENT);
    torrent = TestPeers.torrentOf(source, PIECE_BYTES);
  }

  @AfterEach
  void close() throws Exception {
    store.close();
  }

  private PeerSession seed() throws Exception {
    store = PieceStore.forSeed(torrent, directory.resolve("source"));
    return session();
  }

  private PeerSession downloader() throws Exception {
    store = PieceStore.forDownload(torrent, directory.resolve("target"));
    return session();
  }

  private PeerSession session() throws Exception {
    PeerSession session = new PeerSession(new Torrent(store, 0, verified::add), OWN_ID, false);
    assertThat(session.next(1_000)).isNull();
    session.receive(Handshake.encode(torrent, PEER_ID));
    return session;
  }

  /** All that it has to say, without its handshake. */
  private List<PeerMessage> said(PeerSession session) throws Exception {
    List<PeerMessage> messages = new ArrayList<>();
    MessageDecoder decoder = new MessageDecoder(PIECES);
    for (ByteBuffer out = session.next(70_001); out != null; out = session.next(70_001)) {
      if (out.remaining() >= Handshake.BYTES && out.get(out.position()) == 19) {
        out.position(out.position() + Handshake.BYTES);
      }
      for (PeerMessage next = decoder.next(out); next != null; next = decoder.next(out)) {
        if (!(next instanceof PeerMessage.Unknown)) { // what it says of extensions
          messages.add(next);
        }
      }
    }
    return messages;
  }

  private static List<Block> requests(List<PeerMessage> messages) {
    return messages.stream()
        .filter(PeerMessage.Request.class::isInstance)
        .map(message -> ((PeerMessage.Request) message).block())
        .toList();
  }

  private static PeerMessage everything() {
    BitSet all = new BitSet();
    all.set(0, PIECES);
    return new PeerMessage.Bitfield(all, PIECES);
  }

  private static PeerMessage answer(Block block) {
    int at = block.piece() * PIECE_BYTES + block.begin();
    return new PeerMessage.Piece(block, ByteBuffer.wrap(CONTENT, at, block.length()));
  }

  @Test
  void asksForManyBlocksAheadAndForOneMoreWithEachAnswer() throws Exception {
    PeerSession session = downloader();
    session.receive(everything().encode());
    assertThat(said(session)).containsExactly(PeerMessage.Plain.INTERESTED);
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    List<Block> asked = requests(said(session));
    assertThat(asked).hasSize(PeerSession.MAX_OUTSTANDING_REQUESTS).doesNotHaveDuplicates();
    session.receive(answer(asked.get(0)).encode());
    assertThat(requests(said(session))).hasSize(1);
  }

  @Test
  void downloadsInChunksOfAnySize() throws Exception {
    PeerSession session = downloader();
    session.receive(everything().encode());
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    SplittableRandom random = new SplittableRandom(3);
    for (List<Block> asked = requests(said(session));
        !asked.isEmpty();
        asked = requests(said(session))) {
      for (Block block : asked) {
        ByteBuffer bytes = answer(block).encode();
        while (bytes.hasRemaining()) {
          int chunk = Math.min(bytes.remaining(), 1 + random.nextInt(9_000));
          session.receive(bytes.slice(bytes.position(), chunk));
          bytes.position(bytes.position() + chunk);
        }
      }
    }
    assertThat(verified).hasSize(PIECES).doesNotHaveDuplicates();
    assertThat(session.isRedundant()).isTrue();
    assertThat(Files.readAllBytes(directory.resolve("target"))).isEqualTo(CONTENT);
  }

  @Test
  void asksAgainForWhatAChokeDropped() throws Exception {
    PeerSession session = downloader();
    session.receive(everything().encode());
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    List<Block> asked = requests(said(session));
    session.receive(answer(asked.get(0)).encode());
    session.receive(PeerMessage.Plain.CHOKE.encode());
    assertThat(said(session)).isEmpty();
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    assertThat(requests(said(session)))
        .hasSize(PeerSession.MAX_OUTSTANDING_REQUESTS)
        .doesNotContain(asked.get(0))
        .contains(asked.get(1));
  }

  @Test
  void aPeerThatWithholdsOneBlockOfEachPieceFillsABoundedAmount() throws Exception {
    PeerSession session = downloader();
    session.receive(everything().encode());
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    BitSet pieces = new BitSet();
    for (List<Block> asked = requests(said(session));
        !asked.isEmpty();
        asked = requests(said(session))) {
      for (Block block : asked) {
        pieces.set(block.piece());
        if (block.begin() > 0) {
          session.receive(answer(block).encode());
        }
      }
    }
    assertThat(pieces.cardinality()).isEqualTo(PeerSession.MAX_FETCHING_BYTES / PIECE_BYTES);
    assertThat(verified).isEmpty();
  }

  @Test
  void aWrongPieceEndsTheSessionAndIsNotKept() throws Exception {
    PeerSession session = downloader();
    session.receive(everything().encode());
    session.receive(PeerMessage.Plain.UNCHOKE.encode());
    List<Block> first =
        requests(said(session)).stream().filter(block -> block.piece() == 0).toList();
    for (Block block : first.subList(1, first.size())) {
      session.receive(answer(block).encode());
    }
    Block last = first.get(0);
    ByteBuffer zeros = ByteBuffer.allocate(last.length());
    assertThatThrownBy(() -> session.receive(new PeerMessage.Piece(last, zeros).encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("wrong hash");
    assertThat(store.have().isEmpty()).isTrue();
    assertThat(verified).isEmpty();
  }

  @Test
  void servesWhatIsAskedForButNotWhatIsCancelled() throws Exception {
    PeerSession session = seed();
    assertThat(said(session)).containsExactly(everything());
    session.receive(PeerMessage.Plain.INTERESTED.encode());
    assertThat(said(session)).containsExactly(PeerMessage.Plain.UNCHOKE);
    Block first = new Block(3, 16_384, 16_384);
    Block second = new Block(19, PIECE_BYTES - 10, 10);
    session.receive(new PeerMessage.Request(first).encode());
    session.receive(new PeerMessage.Request(second).encode());
    session.receive(new PeerMessage.Cancel(first).encode());
    assertThat(said(session)).containsExactly(answer(second));
  }

  @Test
  void aRequestWhileChokedIsForgotten() throws Exception {
    PeerSession session = seed();
    session.receive(new PeerMessage.Request(new Block(0, 0, 10)).encode());
    assertThat(said(session)).containsExactly(everything());
  }

  @Test
  void requestsThatAreNotTakenAreBounded() throws Exception {
    PeerSession session = seed();
    session.receive(PeerMessage.Plain.INTERESTED.encode());
    for (int i = 0; i < PeerSession.MAX_QUEUED_REQUESTS; i++) {
      session.receive(new PeerMessage.Request(new Block(0, i, 10)).encode());
    }
    PeerMessage oneMore = new PeerMessage.Request(new Block(1, 0, 10));
    assertThatThrownBy(() -> session.receive(oneMore.encode()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("requests at once");
  }

  @Test
  void requestsOutsideOfThePieceAreRefused() throws Exception {
    for (Block block :
        List.of(
            new Block(-1, 0, 10),
            new Block(PIECES, 0, 10),
            new Block(0, -1, 10),
            new Block(0, 0, 0),
            new Block(0, 0, -1),
            new Block(0, 0, 16_385),
            new Block(0, PIECE_BYTES - 9, 10),
            new Block(0, Integer.MAX_VALUE, 10),
            new Block(Integer.MIN_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE))) {
      PeerSession session = seed();
      session.receive(PeerMessage.Plain.INTERESTED.encode());
      assertThatThrownBy(() -> session.receive(new PeerMessage.Request(block).encode()))
          .as(block.toString())
          .isInstanceOf(ProtocolException.class);
      store.close();
    }
  }

  @Test
  void messagesThatCannotBeAreRefused() throws Exception {
    for (byte[] message :
        List.of(
            new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff},
            new byte[] {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff},
            new byte[] {0, 0, 0x40, 10},
            new byte[] {0, 0, 0, 2, 0, 0},
            new byte[] {0, 0, 0, 4, 4, 0, 0, 0},
            new byte[] {0, 0, 0, 5, 4, 0, 0, 0, PIECES},
            new byte[] {0, 0, 0, 3, 5, 0, 0},
            // 20 pieces: the last four bits are spare.
            new byte[] {0, 0, 0, 4, 5, 0, 0, 1},
            new byte[] {0, 0, 0, 5, 6, 0, 0, 0, 0},
            new byte[] {0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0})) {
      PeerSession session = seed();
      assertThatThrownBy(() -> session.receive(ByteBuffer.wrap(message)))
          .as(java.util.HexFormat.of().formatHex(message))
          .isInstanceOf(ProtocolException.class);
      store.close();
    }
  }

  @Test
  void aBitfieldLaterIsRefused() throws Exception {
    PeerSession session = seed();
    session.receive(PeerMessage.Plain.INTERESTED.encode());
    assertThatThrownBy(() -> session.receive(everything().encode()))
        .isInstanceOf(ProtocolException.class);
  }

  @Test
  void unknownMessagesAndBlocksNobodyAskedForAreIgnored() throws Exception {
    PeerSession session = downloader();
    session.receive(ByteBuffer.wrap(new byte[] {0, 0, 0, 3, 20, 1, 2, 0, 0, 0, 0}));
    session.receive(answer(new Block(0, 0, 16_384)).encode());
    assertThat(said(session)).isEmpty();
    assertThat(verified).isEmpty();
  }

  @Test
  void theHandshakeHasToBeRight() throws Exception {
    store = PieceStore.forSeed(torrent, directory.resolve("source"));
    for (int changed : new int[] {0, 5, 28, 47}) {
      PeerSession session = new PeerSession(new Torrent(store, 0, verified::add), OWN_ID, true);
      ByteBuffer handshake = Handshake.encode(torrent, PEER_ID);
      handshake.put(changed, (byte) ~handshake.get(changed));
      assertThatThrownBy(() -> session.receive(handshake))
          .as("byte " + changed)
          .isInstanceOf(ProtocolException.class);
    }
    PeerSession session = new PeerSession(new Torrent(store, 0, verified::add), OWN_ID, true);
    assertThatThrownBy(() -> session.receive(Handshake.encode(torrent, OWN_ID)))
        .hasMessage("connected to itself");
  }

  @Test
  void theSideThatOpenedSpeaksFirst() throws Exception {
    store = PieceStore.forSeed(torrent, directory.resolve("source"));
    PeerSession session = new PeerSession(new Torrent(store, 0, verified::add), OWN_ID, true);
    assertThat(session.next(1_000)).isEqualTo(Handshake.encode(torrent, OWN_ID));
    assertThat(session.next(1_000)).isNull();
    session.receive(Handshake.encode(torrent, PEER_ID));
    assertThat(said(session)).containsExactly(everything());
  }

  /** transmission speaks of extensions first, and without a bound asks for ten seconds' worth. */
  @Test
  void aPeerMaySpeakOfExtensionsBeforeItsBitfieldAndIsToldHowMuchItMayAskFor() throws Exception {
    store = PieceStore.forDownload(torrent, directory.resolve("target"));
    PeerSession session = new PeerSession(new Torrent(store, 0, verified::add), OWN_ID, false);
    session.receive(Handshake.encode(torrent, PEER_ID));
    ByteBuffer said = session.next(1_000);
    said.position(Handshake.BYTES);
    ByteBuffer extensions = new PeerMessage.Extensions(2_048).encode();
    assertThat(said).isEqualTo(extensions);
    assertThat(new String(extensions.array(), US_ASCII)).endsWith("d1:mde4:reqqi2048ee");
    session.receive(new PeerMessage.Extensions(100).encode());
    session.receive(everything().encode());
    assertThat(said(session)).containsExactly(PeerMessage.Plain.INTERESTED);
  }
}
