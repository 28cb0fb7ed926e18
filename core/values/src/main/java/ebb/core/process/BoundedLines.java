package ebb.core.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Lines of somebody who is not trusted: none is longer than it may be. Used by one thread. */
public final class BoundedLines {
  private final BufferedReader from;
  private final int most;

  /**
   * Lines from there.
   *
   * @param most characters of a line
   */
  public BoundedLines(Reader from, int most) {
    this.from = new BufferedReader(from);
    this.most = most;
  }

  /**
   * The next one; waits for it. Null at the end.
   *
   * @throws IOException when a line is too long, or nothing can be read any more
   */
  public @Nullable String next() throws IOException {
    return next(most);
  }

  /**
   * The next one, shorter than others may be.
   *
   * @param mostNow characters of it
   * @throws IOException as {@link #next()}
   */
  public @Nullable String next(int mostNow) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = from.read(); c >= 0; c = from.read()) {
      if (c == '\n') {
        return line.toString();
      }
      if (line.length() == mostNow) {
        throw new IOException("a line of more than " + mostNow + " characters");
      }
      line.append((char) c);
    }
    return line.isEmpty() ? null : line.toString();
  }
}
