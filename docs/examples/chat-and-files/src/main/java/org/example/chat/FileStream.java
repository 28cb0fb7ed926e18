package org.example.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import ebb.ledbat.stream.BlockingStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One file on a stream: its name in 256 bytes, filled up with zeros, then its bytes. */
final class FileStream {
  private static final int NAME_BYTES = 256;

  private final BlockingStream stream;

  FileStream(BlockingStream stream) {
    this.stream = stream;
  }

  /** Sends a file; returns its length. */
  long send(Path file) throws IOException, InterruptedException {
    try (FileChannel source = FileChannel.open(file)) {
      byte[] name = file.getFileName().toString().getBytes(UTF_8);
      stream.write(ByteBuffer.allocate(NAME_BYTES).put(name).rewind());
      long bytes = stream.sendFrom(source);
      stream.finish();
      return bytes;
    } catch (IOException | RuntimeException failure) {
      stream.abort();
      throw failure;
    }
  }

  /**
   * Receives a file into a directory; returns its name. A file that is there is not overwritten,
   * and one that did not come whole is deleted.
   */
  String receiveInto(Path directory) throws IOException, InterruptedException {
    try {
      ByteBuffer name = ByteBuffer.allocate(NAME_BYTES);
      ByteBuffer rest = fill(name);
      String text = new String(name.array(), UTF_8).replace("\0", "");
      if (text.isEmpty()
          || text.startsWith(".")
          || !Path.of(text).equals(Path.of(text).getFileName())) {
        throw new IOException("not the name of a file: " + text.replaceAll("\\p{C}", "?"));
      }
      Path file = directory.resolve(text);
      try (FileChannel target =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        receive(rest, target);
      } catch (java.nio.file.FileAlreadyExistsException there) {
        throw there;
      } catch (IOException incomplete) {
        Files.deleteIfExists(file);
        throw incomplete;
      }
      stream.finish();
      return text;
    } catch (IOException | RuntimeException failure) {
      stream.abort();
      throw failure;
    }
  }

  private void receive(ByteBuffer first, FileChannel target)
      throws IOException, InterruptedException {
    while (first.hasRemaining()) {
      target.write(first);
    }
    stream.receiveTo(target);
  }

  /** Reads until there is no room; returns what came beyond that. */
  private ByteBuffer fill(ByteBuffer room) throws IOException, InterruptedException {
    while (true) {
      ByteBuffer bytes = stream.read();
      if (bytes == null) {
        throw new EOFException("the stream ended before the file's name");
      }
      while (room.hasRemaining() && bytes.hasRemaining()) {
        room.put(bytes.get());
      }
      if (!room.hasRemaining()) {
        return bytes;
      }
    }
  }
}
