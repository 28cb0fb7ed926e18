package ebb.storage.clients;

import ebb.core.process.BoundedLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines with whoever started this process, on its standard streams. */
record StreamTalk(BoundedLines lines, PrintStream out) implements Talk {
  StreamTalk(InputStream in, PrintStream out) {
    this(new BoundedLines(new InputStreamReader(in, StandardCharsets.UTF_8), Wire.MAX_LINE), out);
  }

  @Override
  public @Nullable String next() throws IOException {
    return lines.next();
  }

  @Override
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  @Override
  public void end() {
    // Standard output ends with the process.
  }

  @Override
  public void close() {
    // Neither stream is this one's.
  }
}
