package ebb.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values by row and column as coloured squares. The worse a value, the stronger its colour, on
 * every map: the best of a map is pale, and nothing of the best, or twice the best, is the worst.
 * Each square says its value in words. Not thread-safe.
 */
public final class HeatMap implements Chart {
  private static final int TOP = 46;
  private static final int ROW = 40;
  private static final int MIN_COLUMN = 78;
  private static final int LETTER = 7;
  private static final int MAX_LEFT = 190;

  /** Which values are worse. */
  public enum Worse {
    LOWER,
    HIGHER
  }

  private final String title;
  private final String corner;
  private final List<String> rows;
  private final List<String> columns;
  private final Worse worse;
  private final List<Object> cells = new ArrayList<>();

  /**
   * A map whose squares are all empty.
   *
   * @param title the quantity
   * @param corner what rows and columns are
   */
  public HeatMap(
      String title, String corner, List<String> rows, List<String> columns, Worse worse) {
    this.title = title;
    this.corner = corner;
    this.rows = List.copyOf(rows);
    this.columns = List.copyOf(columns);
    this.worse = worse;
  }

  /** Fills a square; a value that is not finite has no colour but keeps its words. */
  public HeatMap cell(int row, int column, double value, String words) {
    return add(row, column, value, words, "");
  }

  /** Marks a square whose value was wanted and is not there. */
  public HeatMap failed(int row, int column, String why) {
    return add(row, column, Double.NaN, "\u2717 failed", why);
  }

  private HeatMap add(int row, int column, double value, String words, String why) {
    if (row < 0 || row >= rows.size() || column < 0 || column >= columns.size()) {
      throw new IllegalArgumentException("no square at " + row + ", " + column);
    }
    cells.add(
        Json.object(
            "row", row,
            "column", column,
            "value", Double.isFinite(value) ? value : null,
            "words", words,
            "why", why));
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public int heightPixels() {
    return TOP + ROW * rows.size();
  }

  @Override
  public int minWidthPixels() {
    return left() + MIN_COLUMN * columns.size();
  }

  private int left() {
    int letters = rows.stream().mapToInt(String::length).max().orElse(0);
    return Math.min(MAX_LEFT, LETTER * Math.max(letters, corner.length()) + 20);
  }

  @Override
  public Map<String, @Nullable Object> spec() {
    return Json.object(
        "type", "heat",
        "title", title,
        "corner", corner,
        "left", left(),
        "rows", rows,
        "columns", columns,
        "worse", worse == Worse.LOWER ? "lower" : "higher",
        "cells", cells);
  }
}
