package ebb.storage.clients;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines with somebody who is not trusted, by whichever way they go. One thread hears, and one at a
 * time says.
 */
interface Talk extends AutoCloseable {
  /**
   * The next line, of {@link Wire#MAX_LINE} characters at most; waits for it. Null at the end.
   *
   * @throws IOException when a line is too long, or nothing can be read any more
   */
  @Nullable String next() throws IOException;

  /**
   * Says a line.
   *
   * @throws IOException when nobody hears it any more
   */
  void say(String line) throws IOException;

  /** What the other side has complained of, if that is seen. */
  default List<String> lastErrors() {
    return List.of();
  }

  /** Says that nothing more comes. */
  void end();

  /** Waits until the other side has gone, where that can be seen. */
  default void awaitEnd(Duration atMost) throws InterruptedException {}

  /** Ends it, at once. */
  @Override
  void close();
}
