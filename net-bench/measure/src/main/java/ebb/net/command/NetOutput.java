package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Output;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, or a log file in its place. A file that can no longer be written does not end
 * the measurement: one line on standard error says so, and {@link #failed} afterwards.
 */
final class NetOutput implements AutoCloseable {
  private final Output output;
  private final @Nullable Log log;

  private NetOutput(Output output, @Nullable Log log) {
    this.output = output;
    this.log = log;
  }

  /**
   * Opens it.
   *
   * @throws EbbException USAGE when the file cannot be opened
   */
  static NetOutput open(boolean json, @Nullable Path file) {
    if (file == null) {
      return new NetOutput(Output.standard(json), null);
    }
    try {
      Log log = new Log(file, new FileOutputStream(file.toFile(), true));
      PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
      PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
      return new NetOutput(new Output(out, err, json), log);
    } catch (IOException unwritable) {
      throw new EbbException(
          ExitCode.USAGE, "cannot write " + file + ": " + unwritable.getMessage(), unwritable);
    }
  }

  Output output() {
    return output;
  }

  /** Whether something could not be written. */
  boolean failed() {
    return log != null && log.failure.get() != null;
  }

  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }

  /** A file that tells once that it is full. */
  private static final class Log extends OutputStream {
    private final Path file;
    private final OutputStream to;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    Log(Path file, OutputStream to) {
      this.file = file;
      this.to = to;
    }

    @Override
    public void write(int oneByte) {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      try {
        to.write(bytes, from, length);
      } catch (IOException full) {
        if (failure.compareAndSet(null, full)) {
          System.err.println("ebb: cannot write " + file + ": " + full.getMessage());
        }
      }
    }

    @Override
    public void close() {
      try {
        to.close();
      } catch (IOException unwritten) {
        failure.compareAndSet(null, unwritten);
      }
    }
  }
}
