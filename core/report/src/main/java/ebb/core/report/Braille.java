package ebb.core.report;

/** A drawing of dots in Unicode's braille patterns (U+2800 to U+28FF), two by four to a letter. */
final class Braille {
  private static final int[][] DOTS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

  private final int[][] cells;
  private final int columns;
  private final int rows;

  /** An empty drawing of {@code width} by {@code height} letters. */
  Braille(int width, int height) {
    cells = new int[height][width];
    columns = width * 2;
    rows = height * 4;
  }

  /** A line between points given as fractions from the left and from the bottom, 0 to 1. */
  void line(double x1, double y1, double x2, double y2) {
    int fromX = scale(x1, columns);
    int fromY = scale(y1, rows);
    int toX = scale(x2, columns);
    int toY = scale(y2, rows);
    int steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY));
    for (int i = 0; i <= steps; i++) {
      double share = steps == 0 ? 0 : (double) i / steps;
      dot(
          (int) Math.round(fromX + share * (toX - fromX)),
          (int) Math.round(fromY + share * (toY - fromY)));
    }
  }

  /** Dashes from left to right. */
  void dashes(double y) {
    for (int x = 0; x < columns; x++) {
      if (x % 4 < 2) {
        dot(x, scale(y, rows));
      }
    }
  }

  private static int scale(double fraction, int dots) {
    return (int) Math.round(Math.max(0, Math.min(1, fraction)) * (dots - 1));
  }

  private void dot(int x, int fromBottom) {
    int y = rows - 1 - fromBottom;
    cells[y / 4][x / 2] |= DOTS[y % 4][x % 2];
  }

  /** A row of letters, the topmost first, without trailing white space. */
  String row(int index) {
    StringBuilder row = new StringBuilder();
    for (int cell : cells[index]) {
      row.append(cell == 0 ? ' ' : (char) (0x2800 + cell));
    }
    return row.toString().stripTrailing();
  }
}
