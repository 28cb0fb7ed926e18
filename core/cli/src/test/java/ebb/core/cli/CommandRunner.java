package ebb.core.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Runs a command in this JVM and keeps what it said. */
public final class CommandRunner {
  @Command(name = "ebb")
  private static final class Root {}

  /** How a command ended. */
  public record Ended(int code, String out, String err) {
    /** The last line on standard error. */
    public String lastError() {
      List<String> lines = err.lines().toList();
      return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }
  }

  private CommandRunner() {}

  /** Runs {@code ebb} with the words, as if it had this command only. */
  public static Ended run(EbbCommand command, String... words) {
    return run(List.of(command), words);
  }

  /** Runs {@code ebb} with the words, as if it had these commands only. */
  public static Ended run(List<EbbCommand> commands, String... words) {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int code = Cli.run(new Root(), Map.of(), commands, words);
      return new Ended(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
  }
}
