package ebb.selfbench.process;

import ebb.core.cli.EbbException;
import ebb.core.cli.ExitCode;
import ebb.core.process.Program;
import ebb.core.process.RunningProgram;
import ebb.core.text.OneLine;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process that this one starts and reads line by line. It owns its words in errors. */
public abstract class ChildProcess implements AutoCloseable {
  final String name;
  final RunningProgram program;

  ChildProcess(String name, List<String> command, RunningProgram.Errors errors) {
    this.name = name;
    try {
      program = Program.of(command).startBeside(errors);
    } catch (IOException e) {
      throw new EbbException(ExitCode.INTERNAL, OneLine.of(e), e);
    }
  }

  /** The next line of its standard output; null when it has ended. */
  final @Nullable String readLine() {
    try {
      return program.readLine();
    } catch (IOException e) {
      throw new EbbException(ExitCode.INCOMPLETE, "lost " + name + ": " + OneLine.of(e), e);
    }
  }

  /** Tells it to end, if it heeds the end of its input. */
  public final void endInput() {
    program.endInput();
  }

  /** Ends it. */
  @Override
  public void close() {
    program.close();
  }
}
