package ebb.launcher.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What ebb.jar is made of, as Maven resolved it for this build. */
final class RuntimeLibraries {
  /** The build writes it before the tests (launcher/pom.xml). */
  private static final Path LIST = Path.of("target", "runtime-libraries.txt");

  /** Maven colours what it writes to a terminal, and this file then, too. */
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

  private static final Pattern LINE =
      Pattern.compile(" +([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):[a-z]+:([^ ]+).*");

  /**
   * One of them.
   *
   * @param file a jar; of Ebb's own it may be a directory of classes
   */
  record Library(String group, String name, String version, Path file) {
    String id() {
      return group + ":" + name;
    }

    boolean isOurs() {
      return group.equals("ebb");
    }
  }

  private RuntimeLibraries() {}

  static List<Library> all() throws IOException {
    return Files.readAllLines(LIST).stream()
        .map(line -> LINE.matcher(COLOUR.matcher(line).replaceAll("")))
        .filter(Matcher::matches)
        .map(m -> new Library(m.group(1), m.group(2), m.group(3), Path.of(m.group(4))))
        .toList();
  }

  /** Without Ebb's own. */
  static List<Library> ofOthers() throws IOException {
    return all().stream().filter(library -> !library.isOurs()).toList();
  }
}
