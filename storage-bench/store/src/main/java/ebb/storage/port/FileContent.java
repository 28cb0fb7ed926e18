package ebb.storage.port;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file as content. A file that becomes shorter while it is read is an error. */
public final class FileContent implements Content, AutoCloseable {
  private final FileChannel channel;
  private final long length;

  public FileContent(Path file) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.READ);
    length = channel.size();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int bytes = channel.read(into, at);
      if (bytes < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
      at += bytes;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
