package ebb.example.bittorrent;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * The torrent's file and which of its pieces are there: verified once when it is opened, so that a
 * download goes on where an earlier one ended, and whenever a piece is added. For one thread.
 */
public final class PieceStore implements AutoCloseable {
  private final Metainfo torrent;
  private final FileChannel file;
  private final BitSet have;

  private PieceStore(Metainfo torrent, FileChannel file) throws IOException {
    this.torrent = torrent;
    this.file = file;
    have = new BitSet(torrent.pieceCount());
    for (int piece = 0; piece < torrent.pieceCount(); piece++) {
      int length = torrent.pieceLength(piece);
      if (torrent.pieceStart(piece) + length <= file.size()
          && torrent.isPiece(piece, read(new Block(piece, 0, length)).array())) {
        have.set(piece);
      }
    }
  }

  /** A file to be completed; it is made if there is none. */
  public static PieceStore forDownload(Metainfo torrent, Path path) throws IOException {
    return new PieceStore(
        torrent,
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
  }

  /** A file to be offered as far as it is there. */
  public static PieceStore forSeed(Metainfo torrent, Path path) throws IOException {
    return new PieceStore(torrent, FileChannel.open(path, StandardOpenOption.READ));
  }

  public Metainfo torrent() {
    return torrent;
  }

  /** The pieces that are there; live, not to be changed. */
  BitSet have() {
    return have;
  }

  /** Whether every piece is there. */
  public boolean isComplete() {
    return have.cardinality() == torrent.pieceCount();
  }

  /** Bytes of the file, whatever they are by now. */
  ByteBuffer read(Block block) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(block.length());
    long at = torrent.pieceStart(block.piece()) + block.begin();
    while (bytes.hasRemaining()) {
      int read = file.read(bytes, at + bytes.position());
      if (read < 0) {
        throw new EOFException("the file is shorter than it was");
      }
    }
    return bytes.flip();
  }

  /** Writes a piece if it is the right one; whether it is. */
  boolean put(int piece, byte[] bytes) throws IOException {
    if (!torrent.isPiece(piece, bytes)) {
      return false;
    }
    ByteBuffer source = ByteBuffer.wrap(bytes);
    long at = torrent.pieceStart(piece);
    while (source.hasRemaining()) {
      file.write(source, at + source.position());
    }
    have.set(piece);
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
