package ebb.core.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * This program once more: the same Java, on the same classes, and with the archive of classes that
 * this process was started with, if any. It owns how that is spelt.
 */
public final class ThisProgram {
  private static final String ARCHIVE = "-XX:SharedArchiveFile=";

  private ThisProgram() {}

  /** The program {@code java} that runs this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The archive of classes that this process was started with. */
  public static Optional<Path> archive() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(own -> own.startsWith(ARCHIVE))
        .map(own -> Path.of(own.substring(ARCHIVE.length())))
        .findFirst();
  }

  /** Flags for Java to use the same, which it does without a word where it cannot. */
  private static List<String> withArchive() {
    return archive()
        .map(file -> List.of(ARCHIVE + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"))
        .orElse(List.of());
  }

  /**
   * Words that start a main class of these classes; its arguments follow.
   *
   * @param flags for Java
   */
  public static List<String> running(String mainClass, List<String> flags) {
    List<String> words = new ArrayList<>();
    words.add(java());
    words.addAll(flags);
    words.addAll(withArchive());
    words.addAll(List.of("-cp", System.getProperty("java.class.path", ""), mainClass));
    return words;
  }

  /**
   * Words that start what this process was started as, a jar or a main class; its arguments follow.
   *
   * @param otherwise the main class where nobody can tell
   */
  public static List<String> again(String otherwise) {
    String main = System.getProperty("sun.java.command", "").split(" ", -1)[0];
    if (!main.endsWith(".jar")) {
      return running(main.isEmpty() ? otherwise : main, List.of());
    }
    List<String> words = new ArrayList<>(List.of(java()));
    words.addAll(withArchive());
    words.addAll(List.of("-jar", main));
    return words;
  }
}
