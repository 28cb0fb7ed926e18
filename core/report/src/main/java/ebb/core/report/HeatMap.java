package ebb.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Values by row and column as coloured squares, as an inline SVG: the more, the stronger the
 * colour, from nothing at 0. Each square also says its value in words. It computes no figures.
 */
public final class HeatMap {
  private static final int WIDTH = 960;
  private static final int TOP = 58;
  private static final int ROW = 40;
  private static final int MAX_COLUMN = 160;
  private static final int MIN_COLUMN = 64;
  private static final int LETTER = 7;
  private static final int MAX_LETTERS = 24;

  /** Beyond this the words could not be read on the colour. */
  private static final double STRONGEST = 0.75;

  private record Cell(int row, int column, double value, String words) {}

  private final String title;
  private final String corner;
  private final List<String> rows;
  private final List<String> columns;
  private final List<Cell> cells = new ArrayList<>();

  /**
   * A map whose squares are all empty.
   *
   * @param title the quantity, also for readers who cannot see it
   * @param corner what rows and columns are
   */
  public HeatMap(String title, String corner, List<String> rows, List<String> columns) {
    this.title = title;
    this.corner = corner;
    this.rows = List.copyOf(rows);
    this.columns = List.copyOf(columns);
  }

  /** Fills a square; a value that is not finite has no colour but keeps its words. */
  public HeatMap cell(int row, int column, double value, String words) {
    if (row < 0 || row >= rows.size() || column < 0 || column >= columns.size()) {
      throw new IllegalArgumentException("no square at " + row + ", " + column);
    }
    cells.add(new Cell(row, column, value, words));
    return this;
  }

  /** The SVG element. */
  public String toSvg() {
    int letters = rows.stream().mapToInt(String::length).max().orElse(0);
    int left = LETTER * Math.min(MAX_LETTERS, Math.max(letters, corner.length())) + 16;
    int count = Math.max(1, columns.size());
    // Many columns make the drawing wider than the page, which then shows it smaller.
    int column = Math.max(MIN_COLUMN, Math.min(MAX_COLUMN, (WIDTH - left) / count));
    double high = cells.stream().mapToDouble(Cell::value).filter(Double::isFinite).max().orElse(0);
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg class=\"chart heat\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
            + " xmlns=\"http://www.w3.org/2000/svg\">",
        Math.max(WIDTH, left + column * count),
        TOP + ROW * rows.size() + 12,
        Html.escape(title));
    text(svg, "title", 0, 16, "start", title);
    text(svg, "axis", 0, TOP - 8, "start", corner);
    for (int i = 0; i < columns.size(); i++) {
      int fits = Math.min(MAX_LETTERS, column / LETTER);
      text(svg, "axis", left + column * (i + 0.5), TOP - 8, "middle", cut(columns.get(i), fits));
    }
    for (int i = 0; i < rows.size(); i++) {
      int middle = TOP + ROW * i + ROW / 2 + 4;
      text(svg, "legend", left - 10, middle, "end", cut(rows.get(i), MAX_LETTERS));
    }
    for (Cell cell : cells) {
      draw(svg, cell, left + column * cell.column, column, high);
    }
    return svg.append("</svg>").toString();
  }

  private void draw(StringBuilder svg, Cell cell, int x, int column, double high) {
    boolean known = Double.isFinite(cell.value);
    double strength = known && high > 0 ? STRONGEST * Math.max(0, cell.value) / high : 0;
    int y = TOP + ROW * cell.row;
    String name = rows.get(cell.row) + ", " + columns.get(cell.column) + ": " + cell.words;
    add(
        svg,
        "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill-opacity=\"%.3f\">"
            + "<title>%s</title></rect>",
        x + 1,
        y + 1,
        column - 2,
        ROW - 2,
        strength,
        Html.escape(name));
    text(svg, "value", x + column / 2.0, y + ROW / 2.0 + 4, "middle", cell.words);
  }

  private static String cut(String words, int letters) {
    return words.length() <= letters ? words : words.substring(0, letters - 1) + "\u2026";
  }

  private static void text(
      StringBuilder svg, String style, double x, double y, String anchor, String words) {
    add(
        svg,
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        style,
        x,
        y,
        anchor,
        Html.escape(words));
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
