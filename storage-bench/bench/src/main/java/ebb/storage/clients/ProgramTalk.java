package ebb.storage.clients;

import ebb.core.process.BoundedLines;
import ebb.core.process.RunningProgram;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines with a program on this machine, which may be one that reaches another. */
record ProgramTalk(RunningProgram program, BoundedLines lines) implements Talk {
  ProgramTalk(RunningProgram program) {
    this(program, program.boundedLines(Wire.MAX_LINE));
  }

  @Override
  public @Nullable String next() throws IOException {
    return lines.next();
  }

  @Override
  public void say(String line) throws IOException {
    program.writeLine(line);
  }

  @Override
  public List<String> lastErrors() {
    return program.lastErrors();
  }

  @Override
  public void end() {
    program.endInput();
  }

  @Override
  public void awaitEnd(Duration atMost) throws InterruptedException {
    program.awaitEnd(atMost);
  }

  @Override
  public void close() {
    program.endInput();
    program.close();
  }
}
