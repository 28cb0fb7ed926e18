package ebb.files;

import ebb.core.cli.TerminalText;
import ebb.core.text.OneLine;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reasons of failures, safe for a terminal and bounded for the wire. */
final class Reasons {
  private static final int MAX_REASON_CHARS = 300;

  private Reasons() {}

  /** A reason that fits the wire: at most 300 characters, valid UTF-16. */
  static String shorten(String text) {
    String cut = text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
    return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** What an error says, in one line; Java's file exceptions carry only the name otherwise. */
  static String reason(@Nullable Throwable error) {
    String line = TerminalText.printable(OneLine.of(error));
    return error instanceof OutOfMemoryError ? "out of memory: " + line : line;
  }
}
