package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.cli.Interrupts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file with the number of this process, there as long as it runs. */
final class PidFile implements AutoCloseable {
  private static final long DELETE_MILLIS = 1_000;

  private final @Nullable Path file;
  private Interrupts.@Nullable Registration interrupts;

  private PidFile(@Nullable Path file) {
    this.file = file;
  }

  /**
   * Writes it.
   *
   * @param file null for none
   * @throws EbbException USAGE when it cannot be written
   */
  static PidFile write(@Nullable Path file) {
    if (file != null) {
      try {
        Files.writeString(file, ProcessHandle.current().pid() + "\n");
      } catch (IOException unwritable) {
        throw new EbbException(
            ExitCode.USAGE,
            "-I: cannot write " + file + ": " + unwritable.getMessage(),
            unwritable);
      }
    }
    PidFile written = new PidFile(file);
    if (file != null) {
      // The first that is registered is the last to be asked, and its exit code counts for nothing.
      written.interrupts =
          Interrupts.onInterrupt(DELETE_MILLIS, ExitCode.INCOMPLETE, written::delete);
    }
    return written;
  }

  private void delete() {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException left) {
        System.err.println("ebb: cannot delete " + file + ": " + left.getMessage());
      }
    }
  }

  @Override
  public void close() {
    if (interrupts != null) {
      interrupts.close();
    }
    delete();
  }
}
