package ebb.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A plot in text, at most 100 columns wide: one letter a series, the later series on top. Plain
 * ASCII, no colour, so that it reads the same in a log.
 */
public final class TerminalPlot {
  private static final int LABEL_COLUMNS = 8;

  private final String title;
  private final int columns;
  private final int rows;
  private final List<Series> series = new ArrayList<>();
  private final List<Character> marks = new ArrayList<>();
  private double referenceValue = Double.NaN;

  /**
   * An empty plot.
   *
   * @param columns of the whole plot, 40 to 100
   * @param rows of the drawing, at least 3
   */
  public TerminalPlot(String title, int columns, int rows) {
    if (columns < 40 || columns > 100 || rows < 3) {
      throw new IllegalArgumentException("a plot of " + columns + " x " + rows + " does not fit");
    }
    this.title = title;
    this.columns = columns;
    this.rows = rows;
  }

  public TerminalPlot add(char mark, Series line) {
    marks.add(mark);
    series.add(line);
    return this;
  }

  /** A line of dashes at a value. */
  public TerminalPlot reference(double value) {
    referenceValue = value;
    return this;
  }

  /** The plot's lines, without trailing white space. */
  public List<String> lines() {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    double top = Double.isNaN(referenceValue) ? 0 : referenceValue;
    for (Series line : series) {
      for (int i = 0; i < line.x().length; i++) {
        low = Math.min(low, line.x()[i]);
        high = Math.max(high, line.x()[i]);
        if (Double.isFinite(line.y()[i])) {
          top = Math.max(top, line.y()[i]);
        }
      }
    }
    Axis y = Axis.of(0, top > 0 ? top : 1, 4);
    int width = columns - LABEL_COLUMNS - 2;
    char[][] cells = new char[rows][width];
    for (char[] row : cells) {
      java.util.Arrays.fill(row, ' ');
    }
    if (!Double.isNaN(referenceValue)) {
      java.util.Arrays.fill(cells[rowOf(y, referenceValue)], '-');
    }
    for (int i = 0; i < series.size(); i++) {
      draw(cells, series.get(i), marks.get(i), y, low, high);
    }
    List<String> lines = new ArrayList<>();
    lines.add(title + legend());
    for (int row = 0; row < rows; row++) {
      lines.add(label(y, row) + " |" + new String(cells[row]).stripTrailing());
    }
    lines.add(" ".repeat(LABEL_COLUMNS) + " +" + "-".repeat(width));
    String left = number(low);
    String right = number(high);
    lines.add(
        " ".repeat(LABEL_COLUMNS + 2)
            + left
            + " ".repeat(Math.max(1, width - left.length() - right.length()))
            + right);
    return lines;
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    for (int i = 0; i < series.size(); i++) {
      legend.append(i == 0 ? "   " : "  ").append(marks.get(i)).append(' ');
      legend.append(series.get(i).name());
    }
    return legend.toString();
  }

  /** Marks the mean of the values that fall into each column. */
  private void draw(char[][] cells, Series line, char mark, Axis y, double low, double high) {
    int width = cells[0].length;
    double[] sums = new double[width];
    int[] counts = new int[width];
    for (int i = 0; i < line.x().length; i++) {
      double value = line.y()[i];
      if (Double.isFinite(value)) {
        double fraction = high > low ? (line.x()[i] - low) / (high - low) : 0;
        int column = (int) Math.min(width - 1, Math.floor(fraction * width));
        sums[column] += value;
        counts[column]++;
      }
    }
    for (int column = 0; column < width; column++) {
      if (counts[column] > 0) {
        cells[rowOf(y, sums[column] / counts[column])][column] = mark;
      }
    }
  }

  private int rowOf(Axis y, double value) {
    int fromBottom = (int) Math.round(y.fraction(value) * (rows - 1));
    return rows - 1 - Math.max(0, Math.min(rows - 1, fromBottom));
  }

  private String label(Axis y, int row) {
    for (int i = 0; i <= y.tickCount(); i++) {
      if (rowOf(y, y.tick(i)) == row) {
        return String.format(Locale.ROOT, "%" + LABEL_COLUMNS + "s", y.label(i));
      }
    }
    return " ".repeat(LABEL_COLUMNS);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
