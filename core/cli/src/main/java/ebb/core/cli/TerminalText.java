package ebb.core.cli;

import java.util.Locale;

/**
 * Text on its way to a terminal: nothing in it may move the cursor, and its width is known. It owns
 * no stream. Widths follow the ranges of Unicode's East Asian Width that terminals draw in two
 * columns; a terminal that disagrees about a rare character is off by one.
 */
public final class TerminalText {
  private TerminalText() {}

  /** One line with control, format and line-separating characters escaped as {@code \u001b}. */
  public static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (Character.getType(c)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                default -> out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /** The longest beginning of printable text that fits {@code columns}. */
  static String fit(String text, int columns) {
    int width = 0;
    int end = 0;
    while (end < text.length()) {
      int c = text.codePointAt(end);
      width += widthOf(c);
      if (width > columns) {
        break;
      }
      end += Character.charCount(c);
    }
    return text.substring(0, end);
  }

  /** How many columns printable text takes. */
  static int width(String text) {
    return text.codePoints().map(TerminalText::widthOf).sum();
  }

  private static int widthOf(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115F)
            || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
            || (c >= 0xAC00 && c <= 0xD7A3)
            || (c >= 0xF900 && c <= 0xFAFF)
            || (c >= 0xFE30 && c <= 0xFE6F)
            || (c >= 0xFF00 && c <= 0xFF60)
            || (c >= 0xFFE0 && c <= 0xFFE6)
            || (c >= 0x1F300 && c <= 0x1FAFF)
            || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
  }
}
