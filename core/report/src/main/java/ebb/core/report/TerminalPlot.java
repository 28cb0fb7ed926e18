package ebb.core.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A plot in text, at most 100 columns wide, without colour or control characters: plain ASCII with
 * one letter a series, the later series on top, or finer in Unicode's braille patterns with the
 * series one below the other. Not thread-safe.
 */
public final class TerminalPlot {
  private static final int MIN_LABEL_COLUMNS = 8;

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

  /**
   * Adds a series; {@code mark} is a printable ASCII letter, used where letters tell them apart.
   */
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

  /**
   * Whether the locale that these environment variables set is one of UTF-8 (as POSIX has it, the
   * first of {@code LC_ALL}, {@code LC_CTYPE} and {@code LANG} that is not empty decides).
   */
  public static boolean unicodeWorks(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String locale = environment.getOrDefault(name, "").toUpperCase(Locale.ROOT);
      if (!locale.isEmpty()) {
        return locale.contains("UTF-8") || locale.contains("UTF8");
      }
    }
    return false;
  }

  /** The plot's lines in ASCII, apart from names; without trailing white space. */
  public List<String> lines() {
    Frame frame = frame();
    char[][] cells = new char[rows][frame.width];
    for (char[] row : cells) {
      Arrays.fill(row, ' ');
    }
    if (Double.isFinite(referenceValue)) {
      Arrays.fill(cells[rowOf(frame.y, referenceValue)], '-');
    }
    for (int i = 0; i < series.size(); i++) {
      draw(cells, series.get(i), marks.get(i), frame);
    }
    List<String> lines = new ArrayList<>();
    lines.add(cut(title + legend()));
    for (int row = 0; row < rows; row++) {
      lines.add(label(frame, row) + " |" + new String(cells[row]).stripTrailing());
    }
    lines.add(" ".repeat(frame.labelColumns) + " +" + "-".repeat(frame.width));
    lines.add(bottom(frame));
    return lines;
  }

  /**
   * The plot's lines in braille patterns, two by four dots a letter: each series has a drawing of
   * its own, all on the same scales. Without trailing white space.
   */
  public List<String> unicodeLines() {
    Frame frame = frame();
    List<String> lines = new ArrayList<>();
    lines.add(cut(title));
    for (int i = 0; i < Math.max(1, series.size()); i++) {
      Braille canvas = new Braille(frame.width, rows);
      if (Double.isFinite(referenceValue)) {
        canvas.dashes(frame.y.fraction(referenceValue));
      }
      if (i < series.size()) {
        if (series.size() > 1) {
          lines.add(cut(" ".repeat(frame.labelColumns + 2) + series.get(i).name()));
        }
        trace(canvas, series.get(i), frame);
      }
      for (int row = 0; row < rows; row++) {
        lines.add(label(frame, row) + " \u2502" + canvas.row(row));
      }
    }
    lines.add(" ".repeat(frame.labelColumns) + " \u2514" + "\u2500".repeat(frame.width));
    lines.add(bottom(frame));
    return lines;
  }

  /** The scales, and the columns that are left for the drawing. */
  private record Frame(Axis y, double low, double high, int labelColumns, int width) {}

  private Frame frame() {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    double top = Double.isFinite(referenceValue) ? Math.max(0, referenceValue) : 0;
    double bottom = Double.isFinite(referenceValue) ? Math.min(0, referenceValue) : 0;
    for (Series line : series) {
      for (int i = 0; i < line.x().length; i++) {
        low = Math.min(low, line.x()[i]);
        high = Math.max(high, line.x()[i]);
        if (Double.isFinite(line.y()[i])) {
          top = Math.max(top, line.y()[i]);
          bottom = Math.min(bottom, line.y()[i]);
        }
      }
    }
    Axis y = Axis.of(bottom, top > bottom ? top : bottom + 1, 4);
    int labelColumns = MIN_LABEL_COLUMNS;
    for (int i = 0; i <= y.tickCount(); i++) {
      labelColumns = Math.max(labelColumns, y.label(i).length());
    }
    return new Frame(y, low, high, labelColumns, columns - labelColumns - 2);
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    for (int i = 0; i < series.size(); i++) {
      legend.append(i == 0 ? "   " : "  ").append(marks.get(i)).append(' ');
      legend.append(series.get(i).name());
    }
    return legend.toString();
  }

  private String cut(String line) {
    return line.length() <= columns ? line : line.substring(0, columns - 3) + "...";
  }

  private String bottom(Frame frame) {
    String indent = " ".repeat(frame.labelColumns + 2);
    if (!(frame.low <= frame.high)) {
      return indent + "no values";
    }
    String left = number(frame.low);
    String right = number(frame.high);
    int gap = Math.max(1, frame.width - left.length() - right.length());
    return indent + left + " ".repeat(gap) + right;
  }

  /** Marks the mean of the values that fall into each column. */
  private void draw(char[][] cells, Series line, char mark, Frame frame) {
    double[] sums = new double[frame.width];
    int[] counts = new int[frame.width];
    for (int i = 0; i < line.x().length; i++) {
      double value = line.y()[i];
      if (Double.isFinite(value)) {
        double at = Math.floor(across(frame, line.x()[i]) * frame.width);
        int column = (int) Math.min(frame.width - 1, at);
        sums[column] += value;
        counts[column]++;
      }
    }
    for (int column = 0; column < frame.width; column++) {
      if (counts[column] > 0) {
        cells[rowOf(frame.y, sums[column] / counts[column])][column] = mark;
      }
    }
  }

  /** Joins the points by lines, except over gaps. */
  private static void trace(Braille canvas, Series line, Frame frame) {
    for (int i = 0; i < line.x().length; i++) {
      if (Double.isFinite(line.y()[i])) {
        int from = i > 0 && Double.isFinite(line.y()[i - 1]) ? i - 1 : i;
        canvas.line(
            across(frame, line.x()[from]),
            frame.y.fraction(line.y()[from]),
            across(frame, line.x()[i]),
            frame.y.fraction(line.y()[i]));
      }
    }
  }

  private static double across(Frame frame, double x) {
    return frame.high > frame.low ? (x - frame.low) / (frame.high - frame.low) : 0;
  }

  private int rowOf(Axis y, double value) {
    int fromBottom = (int) Math.round(y.fraction(value) * (rows - 1));
    return rows - 1 - Math.max(0, Math.min(rows - 1, fromBottom));
  }

  private String label(Frame frame, int row) {
    for (int i = 0; i <= frame.y.tickCount(); i++) {
      if (rowOf(frame.y, frame.y.tick(i)) == row) {
        return String.format(Locale.ROOT, "%" + frame.labelColumns + "s", frame.y.label(i));
      }
    }
    return " ".repeat(frame.labelColumns);
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
