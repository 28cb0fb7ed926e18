package ebb.selfbench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Another JVM with this one's class path, 256 MiB of heap and the JVM's default collector. */
final class ChildJvm extends Child {
  ChildJvm(Class<?> mainClass, String... arguments) {
    this(List.of(), mainClass, Arrays.asList(arguments));
  }

  /**
   * Starts it.
   *
   * @param prefix what runs a command elsewhere, such as in a network namespace; else empty
   */
  ChildJvm(List<String> prefix, Class<?> mainClass, List<String> arguments) {
    super(mainClass.getSimpleName(), command(prefix, mainClass, arguments));
  }

  private static List<String> command(
      List<String> prefix, Class<?> mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass.getName());
    command.addAll(arguments);
    return command;
  }
}
