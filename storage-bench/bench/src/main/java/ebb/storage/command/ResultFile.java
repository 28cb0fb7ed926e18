package ebb.storage.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A file of results, one JSON record a line: runs append, reports read. */
final class ResultFile {
  private static final long MAX_BYTES = 1L << 30;

  private ResultFile() {}

  /** Before a long run: whether its result could be kept. */
  static void checkWritable(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
    if (!writable) {
      throw new EbbException(ExitCode.USAGE, "cannot write '" + file + "'");
    }
  }

  /** Appends a line; a line that a crash cut off is ended first, so that it spoils only itself. */
  static void append(Path file, ResultRecord record) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long size = channel.size();
      ByteBuffer last = ByteBuffer.allocate(1);
      boolean cut = size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n';
      ByteBuffer line =
          ByteBuffer.wrap(
              ((cut ? "\n" : "") + record.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
      channel.position(size);
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, "cannot write '" + file + "': " + OneLine.of(e), e);
    }
  }

  /** What was read: the records, and how many lines were none. */
  record Read(List<ResultRecord> records, int spoilt) {}

  /**
   * All records of a file.
   *
   * @throws EbbException USAGE when it cannot be read or holds no record
   */
  static Read read(Path file) {
    List<ResultRecord> records = new ArrayList<>();
    int spoilt = 0;
    String problem = "it is empty";
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new EbbException(ExitCode.USAGE, "'" + file + "' is larger than 1 GiB");
      }
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      for (String line : (Iterable<String>) text.lines().filter(one -> !one.isBlank())::iterator) {
        try {
          records.add(ResultRecord.fromJson(line));
        } catch (IllegalArgumentException e) {
          spoilt++;
          problem = OneLine.of(e);
        }
      }
    } catch (IOException e) {
      throw new EbbException(ExitCode.USAGE, "cannot read '" + file + "': " + OneLine.of(e), e);
    }
    if (records.isEmpty()) {
      throw new EbbException(ExitCode.USAGE, "no results in '" + file + "': " + problem);
    }
    return new Read(records, spoilt);
  }
}
