package ebb.example.bittorrent;

import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One piece while it is fetched, block by block, from one peer. */
final class PieceFetch {
  final int piece;
  private final byte[] bytes;
  private final int blocks;
  private final BitSet requested = new BitSet();
  private final BitSet received = new BitSet();

  PieceFetch(int piece, int length) {
    this.piece = piece;
    bytes = new byte[length];
    blocks = (length - 1) / Block.MAX_BYTES + 1;
  }

  int length() {
    return bytes.length;
  }

  byte[] bytes() {
    return bytes;
  }

  boolean isComplete() {
    return received.cardinality() == blocks;
  }

  /** Requests without an answer. */
  int outstanding() {
    return requested.cardinality();
  }

  /** The next block to ask for; null when all have been. */
  @Nullable Block request() {
    for (int i = 0; i < blocks; i++) {
      i = requested.nextClearBit(i);
      if (i < blocks && !received.get(i)) {
        requested.set(i);
        return block(i);
      }
    }
    return null;
  }

  private Block block(int index) {
    int begin = index * Block.MAX_BYTES;
    return new Block(piece, begin, Math.min(Block.MAX_BYTES, bytes.length - begin));
  }

  /**
   * "When a peer is choked, requests are dropped": all that is missing is to be asked for again.
   */
  void forgetRequests() {
    requested.clear();
  }

  /** Takes a block that has the place and length of one asked for; whether it does. */
  boolean receive(Block block, ByteBuffer content) {
    int index = block.begin() / Block.MAX_BYTES;
    if (block.begin() < 0 || index >= blocks || !block.equals(block(index))) {
      return false;
    }
    if (!received.get(index)) {
      received.set(index);
      requested.clear(index);
      content.get(bytes, block.begin(), block.length());
    }
    return true;
  }
}
