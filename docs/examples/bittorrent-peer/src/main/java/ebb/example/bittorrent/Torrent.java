package ebb.example.bittorrent;

import java.io.IOException;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * What the connections of one torrent share: the store, and which pieces somebody is fetching. A
 * piece is fetched from one peer only, so a wrong one tells who sent it.
 */
final class Torrent {
  private final PieceStore store;
  private final BitSet claimed = new BitSet();
  private final IntConsumer onVerified;

  /**
   * @param onVerified hears of each new piece
   */
  Torrent(PieceStore store, IntConsumer onVerified) {
    this.store = store;
    this.onVerified = onVerified;
  }

  Metainfo metainfo() {
    return store.torrent();
  }

  PieceStore store() {
    return store;
  }

  /** Whether a peer with these pieces has one that is missing here. */
  boolean wantsAnyOf(BitSet pieces) {
    int piece = pieces.nextSetBit(0);
    while (piece >= 0 && store.have().get(piece)) {
      piece = pieces.nextSetBit(store.have().nextClearBit(piece));
    }
    return piece >= 0;
  }

  /** The first piece that the peer has and nobody fetches, now claimed; -1 when there is none. */
  int claim(BitSet offered) {
    int piece = offered.nextSetBit(0);
    while (piece >= 0 && (claimed.get(piece) || store.have().get(piece))) {
      piece = offered.nextSetBit(piece + 1);
    }
    if (piece >= 0) {
      claimed.set(piece);
    }
    return piece;
  }

  /** Lets others fetch the piece. */
  void release(int piece) {
    claimed.clear(piece);
  }

  /** A claimed piece is here in full; keeps it if it is the right one. */
  void complete(int piece, byte[] bytes) throws IOException, ProtocolException {
    release(piece);
    if (!store.put(piece, bytes)) {
      throw new ProtocolException("piece " + piece + " has the wrong hash");
    }
    onVerified.accept(piece);
  }
}
