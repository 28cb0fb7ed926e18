package ebb.files;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Names and reasons from elsewhere, made safe for a terminal and bounded. */
final class Printable {
  private static final int MAX_REASON_CHARS = 300;

  private Printable() {}

  /**
   * The text with control and format characters escaped, so that it can neither move a cursor nor
   * forge a line.
   */
  static String of(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              int type = Character.getType(c);
              if (type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.SURROGATE
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR) {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /** A reason that fits the wire: at most 300 characters, valid UTF-16. */
  static String shorten(String text) {
    String cut = text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
    return new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** What an I/O error says, in one line; Java's file exceptions carry only the name otherwise. */
  static String reason(Exception error) {
    String message = error.getMessage();
    if (error instanceof java.nio.file.FileSystemException file) {
      String why = file.getReason();
      if (why != null) {
        return of(why);
      }
      if (error instanceof java.nio.file.AccessDeniedException) {
        return "permission denied";
      }
      if (error instanceof java.nio.file.NoSuchFileException) {
        return "no such file or directory";
      }
      return of(error.getClass().getSimpleName());
    }
    return of(message == null ? error.getClass().getSimpleName() : message);
  }
}
