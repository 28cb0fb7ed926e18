package ebb.core.cli;

import ebb.core.text.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that a command is asked to write beside its output, with one line for what cannot be. */
public final class ResultFiles {
  private ResultFiles() {}

  /** Writes one file. */
  @FunctionalInterface
  public interface Writing {
    void to(Path file) throws IOException;
  }

  /**
   * Checks before anything is measured.
   *
   * @param file null when none was asked for
   * @throws EbbException USAGE when it will not be possible to write it
   */
  public static void checkWritable(@Nullable Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isWritable(directory) || Files.isDirectory(file)) {
      throw new EbbException(ExitCode.USAGE, "cannot write " + file);
    }
  }

  /**
   * Writes it, if one was asked for.
   *
   * @return whether there is one now
   * @throws EbbException INTERNAL when it cannot be written after all
   */
  public static boolean write(@Nullable Path file, Writing writing) {
    if (file == null) {
      return false;
    }
    try {
      writing.to(file);
    } catch (IOException unwritable) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot write " + file + ": " + OneLine.of(unwritable), unwritable);
    }
    return true;
  }
}
