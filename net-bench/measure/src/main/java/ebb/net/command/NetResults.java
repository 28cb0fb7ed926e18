package ebb.net.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.result.ResultRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Results that earlier runs wrote with {@code -J}. */
final class NetResults {
  /** More than any run writes. */
  private static final long MAX_BYTES = 256L << 20;

  private NetResults() {}

  /**
   * Reads one.
   *
   * @throws EbbException USAGE with one line
   */
  static ResultRecord read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new EbbException(ExitCode.USAGE, file + " is too large for a result");
      }
      return ResultRecord.fromJson(Files.readString(file).strip());
    } catch (NoSuchFileException none) {
      throw new EbbException(ExitCode.USAGE, "cannot read " + file + ": no such file", none);
    } catch (IOException unreadable) {
      throw new EbbException(
          ExitCode.USAGE, "cannot read " + file + ": " + unreadable.getMessage(), unreadable);
    } catch (IllegalArgumentException none) {
      throw new EbbException(ExitCode.USAGE, file + ": " + none.getMessage(), none);
    }
  }
}
