package ebb.core.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --key-file}, for all commands that can be protected by a pre-shared key. */
public final class KeyOption {
  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = {
        "Encrypt everything with the key in FILE, and deal only with peers that prove that",
        "they have it ('ebb key new FILE' makes one)."
      })
  @Nullable String file;

  /** Whether there is to be a key. */
  public boolean given() {
    return file != null;
  }

  /**
   * The key; null when there is no option.
   *
   * @throws EbbException USAGE as {@link KeyFile#read} says
   */
  public byte @Nullable [] key() {
    try {
      return file == null ? null : read(Path.of(file));
    } catch (InvalidPathException bad) {
      throw new EbbException(ExitCode.USAGE, "cannot read the name '" + file + "'");
    }
  }

  /**
   * The key in a file that another option names; null when it names none.
   *
   * @throws EbbException USAGE as {@link KeyFile#read} says
   */
  public static byte @Nullable [] read(@Nullable Path named) {
    return named == null ? null : KeyFile.read(named);
  }
}
