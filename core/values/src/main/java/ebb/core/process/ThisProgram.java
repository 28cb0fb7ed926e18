package ebb.core.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** This program once more: the same Java, on the same classes. It owns how that is spelt. */
public final class ThisProgram {
  private ThisProgram() {}

  /** The program {@code java} that runs this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
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
    return main.endsWith(".jar")
        ? List.of(java(), "-jar", main)
        : running(main.isEmpty() ? otherwise : main, List.of());
  }
}
