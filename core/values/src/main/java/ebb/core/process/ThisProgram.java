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

  /** Java with these flags, and with the same archive: without a word where it cannot use it. */
  private static List<String> starting(List<String> flags, String... what) {
    List<String> words = new ArrayList<>();
    words.add(java());
    words.addAll(flags);
    archive()
        .map(file -> List.of(ARCHIVE + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"))
        .ifPresent(words::addAll);
    words.addAll(List.of(what));
    return words;
  }

  /**
   * Words that start a main class of these classes; its arguments follow.
   *
   * @param flags for Java
   */
  public static List<String> running(String mainClass, List<String> flags) {
    return starting(flags, "-cp", System.getProperty("java.class.path", ""), mainClass);
  }

  /**
   * Words that start what this process was started as, a jar or a main class; its arguments follow.
   *
   * @param otherwise the main class where nobody can tell
   */
  public static List<String> again(String otherwise) {
    String main = System.getProperty("sun.java.command", "").split(" ", -1)[0];
    return main.endsWith(".jar")
        ? starting(List.of(), "-jar", main)
        : running(main.isEmpty() ? otherwise : main, List.of());
  }
}
