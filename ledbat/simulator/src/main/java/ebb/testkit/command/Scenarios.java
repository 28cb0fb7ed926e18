package ebb.testkit.command;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.testkit.file.ScenarioFile;
import ebb.testkit.file.ScenarioFileException;
import ebb.testkit.file.ScenarioFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds what a user means by a scenario: the name of one that comes with Ebb, or a file. */
final class Scenarios {
  private Scenarios() {}

  static List<ScenarioFile> shipped() {
    List<ScenarioFile> files = new ArrayList<>();
    for (String name : ScenarioFiles.shipped()) {
      files.add(find(name));
    }
    return files;
  }

  /**
   * A scenario by name or path; names come first, a path with a slash or a dot is always a path.
   *
   * @throws EbbException USAGE with one line when there is none or it is malformed
   */
  static ScenarioFile find(String nameOrPath) {
    try {
      if (ScenarioFiles.shipped().contains(nameOrPath)) {
        return ScenarioFiles.shipped(nameOrPath);
      }
      Path path = Path.of(nameOrPath);
      if (!Files.isRegularFile(path)) {
        throw new EbbException(
            ExitCode.USAGE,
            "no scenario and no file: " + nameOrPath + " (ebb sim list shows the scenarios)");
      }
      return ScenarioFiles.read(path);
    } catch (ScenarioFileException | java.nio.file.InvalidPathException wrong) {
      throw new EbbException(ExitCode.USAGE, "" + wrong.getMessage());
    }
  }
}
