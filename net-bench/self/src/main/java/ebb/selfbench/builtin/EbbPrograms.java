package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.selfbench.process.PeerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Ebb's own commands as programs, started as {@code ./ebb} starts them but without its archive. */
final class EbbPrograms {
  private static final String MAIN = "ebb.launcher.Main";

  private EbbPrograms() {}

  /** Why there are none; empty when there are. */
  static String missing() {
    try {
      Class.forName(MAIN, false, EbbPrograms.class.getClassLoader());
      return "";
    } catch (ClassNotFoundException e) {
      return "Ebb's commands are not on the class path";
    }
  }

  /** {@code ebb ledbat} and these words. */
  static List<String> ledbat(List<String> words) {
    List<String> command = new ArrayList<>(java());
    command.add("ledbat");
    command.addAll(words);
    return command;
  }

  private static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m",
        "-XX:+UseParallelGC",
        "-XX:CompileThresholdScaling=4",
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.02",
        "-cp",
        System.getProperty("java.class.path"),
        MAIN);
  }

  /** The options by which a command has a new key in {@code directory}. */
  static List<String> newKey(Path directory) throws InterruptedException {
    Path key = directory.toAbsolutePath().resolve("key");
    List<String> command = new ArrayList<>(java());
    command.addAll(List.of("key", "new", key.toString()));
    try (PeerProcess making = new PeerProcess("ebb key", command)) {
      making.readAll();
      making.end();
    }
    if (!Files.exists(key)) {
      throw new EbbException(ExitCode.INTERNAL, "ebb key made no key");
    }
    return List.of("--key-file", key.toString());
  }
}
