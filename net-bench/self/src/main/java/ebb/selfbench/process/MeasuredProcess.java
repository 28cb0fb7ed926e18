package ebb.selfbench.process;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.RunningProgram;
import ebb.core.process.ThisProgram;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One side of what is measured: a process that says what it has to say in lines, a word and
 * numbers, and answers marks as {@link Meter} does. It ends when its standard input does, so it
 * never outlives this process.
 */
public final class MeasuredProcess extends ChildProcess {
  private static final Duration END = Duration.ofSeconds(5);

  /** Starts a program; what it says on standard error is shown. */
  public MeasuredProcess(String name, List<String> command) {
    super(name, command, RunningProgram.Errors.SHOWN);
  }

  /**
   * Starts a JVM with this one's class path, 256 MiB of heap and the JVM's default collector.
   *
   * @param prefix what runs a command elsewhere, such as in a network namespace; else empty
   */
  public static MeasuredProcess jvm(
      List<String> prefix, Class<?> mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(ThisProgram.running(mainClass.getName(), List.of("-Xmx256m")));
    command.addAll(arguments);
    return new MeasuredProcess(mainClass.getSimpleName(), command);
  }

  /**
   * The numbers behind {@code word} in the line that starts with it; skips other lines.
   *
   * @throws EbbException when it ends, or says that it failed
   */
  public long[] await(String word) {
    String rest = awaitText(word);
    return rest.isEmpty()
        ? new long[0]
        : Arrays.stream(rest.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  private String awaitText(String word) {
    for (String line = readLine(); line != null; line = readLine()) {
      if (line.equals(word)) {
        return "";
      }
      if (line.startsWith(word + " ")) {
        return line.substring(word.length() + 1);
      }
      if (line.startsWith("FAILED ")) {
        throw new EbbException(ExitCode.INCOMPLETE, name + ": " + line.substring(7));
      }
    }
    throw new EbbException(ExitCode.INTERNAL, name + " ended early");
  }

  /** What it has done by now. */
  public Mark mark() {
    try {
      program.writeLine("mark");
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, name + " ended early: " + OneLine.of(e), e);
    }
    return Mark.parse(awaitText("MARK"));
  }

  @Override
  public void close() {
    endInput();
    try {
      var unused = program.awaitEnd(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      super.close();
    }
  }
}
