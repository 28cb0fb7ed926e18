package ebb.example.bittorrent;

import java.io.IOException;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * What the connections of one torrent share: the store, which pieces somebody is fetching, how many
 * peers have each, and who is served. A piece is fetched from one peer only, so a wrong one tells
 * who sent it.
 */
final class Torrent {
  private final PieceStore store;
  private final BitSet claimed = new BitSet();
  private final IntConsumer onVerified;
  private final int[] holders;
  private final int first;
  private final UploadSlots slots = new UploadSlots();

  /**
   * @param first where to look first for one of several pieces that are equally rare: a random
   *     piece, so that those who begin together can trade
   * @param onVerified hears of each new piece
   */
  Torrent(PieceStore store, int first, IntConsumer onVerified) {
    this.store = store;
    this.first = first;
    this.onVerified = onVerified;
    holders = new int[store.torrent().pieceCount()];
  }

  UploadSlots slots() {
    return slots;
  }

  /** One more peer has the piece, or with -1 one less. */
  void count(int piece, int more) {
    holders[piece] += more;
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

  /**
   * The rarest piece that the peer has and nobody fetches, now claimed; -1 when there is none. BEP
   * 3: "Peers generally download pieces in random order"; what few have is gone with them.
   */
  int claim(BitSet offered) {
    int rarest = -1;
    for (int i = 0; i < holders.length; i++) {
      int piece = (first + i) % holders.length;
      boolean wanted = offered.get(piece) && !claimed.get(piece) && !store.have().get(piece);
      if (wanted && (rarest < 0 || holders[piece] < holders[rarest])) {
        rarest = piece;
      }
    }
    if (rarest >= 0) {
      claimed.set(rarest);
    }
    return rarest;
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
