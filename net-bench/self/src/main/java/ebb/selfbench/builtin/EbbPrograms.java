package ebb.selfbench.builtin;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.ThisProgram;
import ebb.selfbench.process.PeerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ebb's own commands as programs, started as {@code ./ebb} starts them: with its archive of classes
 * when this process was started with it.
 */
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
    List<String> command =
        java(
            "-Xmx256m",
            "-XX:+UseParallelGC",
            "-XX:Tier4InvocationThreshold=50000",
            "-XX:Tier4MinInvocationThreshold=6000",
            "-XX:Tier4CompileThreshold=150000",
            "-XX:Tier4BackEdgeThreshold=400000",
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.008");
    boolean plainCat = words.get(0).equals("cat") && !words.contains("--key-file");
    if (plainCat || hasNativeCrypto()) {
      command.add(1, "-XX:TieredStopAtLevel=1");
    }
    command.add("ledbat");
    command.addAll(words);
    return command;
  }

  /** {@code ebb} and these words, for a command too short for a second compiler. */
  static List<String> brief(List<String> words) {
    List<String> command = java("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    command.addAll(words);
    return command;
  }

  private static List<String> java(String... flags) {
    List<String> all = new ArrayList<>(List.of("-XX:-UsePerfData"));
    all.addAll(List.of(flags));
    return ThisProgram.running(MAIN, all);
  }

  /** Whether {@code ./ebb} leaves the second compiler out for a key and for hashes, too. */
  private static boolean hasNativeCrypto() {
    return !"java".equals(System.getenv("EBB_CRYPTO"))
        && ThisProgram.archive()
            .map(file -> file.toString().replaceAll("\\.jsa$", ".native-crypto"))
            .filter(mark -> Files.exists(Path.of(mark)))
            .isPresent();
  }

  /** The options by which a command has a new key in {@code directory}. */
  static List<String> newKey(Path directory) throws InterruptedException {
    Path key = directory.toAbsolutePath().resolve("key");
    List<String> words = List.of("key", "new", key.toString());
    try (PeerProcess making = new PeerProcess("ebb key", brief(words))) {
      making.readAll();
      making.end();
    }
    if (!Files.exists(key)) {
      throw new EbbException(ExitCode.INTERNAL, "ebb key made no key");
    }
    return List.of("--key-file", key.toString());
  }
}
