package ebb.launcher.net;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Files of results, with one line for what cannot be written. */
final class NetFiles {
  private NetFiles() {}

  /**
   * Checks before anything is measured.
   *
   * @throws EbbException USAGE when it will not be possible to write it
   */
  static void checkWritable(@Nullable Path file) {
    if (file == null) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isWritable(directory) || Files.isDirectory(file)) {
      throw new EbbException(ExitCode.USAGE, "cannot write " + file);
    }
  }

  static void write(@Nullable Path file, Supplier<String> text) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, text.get());
    } catch (IOException unwritable) {
      throw new EbbException(
          ExitCode.INTERNAL, "cannot write " + file + ": " + unwritable.getMessage(), unwritable);
    }
  }
}
