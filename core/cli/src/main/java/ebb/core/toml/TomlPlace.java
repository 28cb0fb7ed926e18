package ebb.core.toml;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import java.nio.file.Path;

/** Where in a file something stands, line and column from 1. */
public record TomlPlace(Path file, int line, int column) {
  /** An error about what stands there. */
  public EbbException wrong(String why) {
    return new EbbException(ExitCode.USAGE, this + ": " + why);
  }

  @Override
  public String toString() {
    return file + ":" + line + ":" + column;
  }
}
