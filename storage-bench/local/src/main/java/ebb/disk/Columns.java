package ebb.disk;

import java.util.List;

/** Sentences in lines of at most 100 columns. */
public final class Columns {
  private static final int COLUMNS = 100;

  private Columns() {}

  /** Breaks {@code text} between words; lines after the first are indented as far. */
  public static void wrap(List<String> lines, String first, String text) {
    StringBuilder line = new StringBuilder(first);
    String indent = " ".repeat(first.length());
    boolean empty = true;
    for (String word : text.split(" ", -1)) {
      if (!empty && line.length() + 1 + word.length() > COLUMNS) {
        lines.add(line.toString());
        line = new StringBuilder(indent);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
  }
}
