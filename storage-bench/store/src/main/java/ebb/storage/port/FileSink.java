package ebb.storage.port;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file that appears under its name when it is complete and verified, and not before. */
public final class FileSink implements Sink {
  private final Path file;
  private final Path part;
  private @Nullable FileChannel channel;

  public FileSink(Path file) {
    this.file = file;
    this.part = file.resolveSibling(file.getFileName() + ".ebb-part");
  }

  @Override
  public void begin() throws IOException {
    if (channel == null) {
      channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
    } else {
      channel.truncate(0);
      channel.position(0);
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    if (channel == null) {
      throw new IOException("not begun");
    }
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void commit() throws IOException {
    close();
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void abort() {
    try {
      close();
      Files.deleteIfExists(part);
    } catch (IOException stays) {
      // A part under its own name is never taken for the file.
      return;
    }
  }

  private void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }
}
