package org.example.swarm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * The pieces that one node has, in a file. They are verified when it is opened, so a node that was
 * killed goes on where it ended, and whenever one is added. For one thread.
 */
final class PieceFile implements AutoCloseable {
  private final Content content;
  private final FileChannel file;
  private final BitSet have;

  private PieceFile(Content content, FileChannel file) throws IOException {
    this.content = content;
    this.file = file;
    have = new BitSet(content.pieces());
    for (int piece = 0; piece < content.pieces(); piece++) {
      if (content.start(piece) + content.length(piece) <= file.size()
          && content.isPiece(piece, read(piece))) {
        have.set(piece);
      }
    }
  }

  static PieceFile open(Content content, Path path) throws IOException {
    return new PieceFile(
        content,
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE));
  }

  boolean has(int piece) {
    return have.get(piece);
  }

  int count() {
    return have.cardinality();
  }

  boolean isComplete() {
    return count() == content.pieces();
  }

  byte[] bitmap() {
    return have.toByteArray();
  }

  byte[] read(int piece) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(content.length(piece));
    while (bytes.hasRemaining()) {
      if (file.read(bytes, content.start(piece) + bytes.position()) < 0) {
        throw new EOFException("the file is shorter than it was");
      }
    }
    return bytes.array();
  }

  /** Writes a piece if it is the right one; whether it is. */
  boolean put(int piece, byte[] bytes) throws IOException {
    if (!content.isPiece(piece, bytes)) {
      return false;
    }
    ByteBuffer source = ByteBuffer.wrap(bytes);
    while (source.hasRemaining()) {
      file.write(source, content.start(piece) + source.position());
    }
    have.set(piece);
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
