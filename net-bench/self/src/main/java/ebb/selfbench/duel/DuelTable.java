package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * One table of the page: a row for each link and setup, a column for each controller. It owns how
 * figures become text; widths are fixed, so that a row says the same whatever the others say.
 *
 * @param notes what its cells hold, above the table
 * @param rowHeader above the rows' labels
 */
record DuelTable(
    String title,
    String notes,
    String rowHeader,
    List<String> controllers,
    List<Row> rows,
    Function<DuelFigures, String> format) {

  private static final int PAGE_COLUMNS = 100;
  private static final int MIN_LABEL_COLUMNS = 16;

  /** One row, before anything was simulated. */
  record Row(String label, DuelSetup setup, DuelLink link) {
    DuelCell cell(String controller) {
      return new DuelCell(controller, setup, link);
    }
  }

  List<DuelCell> cells() {
    List<DuelCell> cells = new ArrayList<>();
    for (Row row : rows) {
      controllers.forEach(controller -> cells.add(row.cell(controller)));
    }
    return cells;
  }

  String header() {
    int columns = labelColumns();
    return line(columns, rowHeader, controllers) + "\n" + ruler(columns, controllers.size());
  }

  /** The longest label's, for the rest belongs to the cells. */
  private int labelColumns() {
    return rows.stream().mapToInt(row -> row.label().length()).reduce(MIN_LABEL_COLUMNS, Math::max);
  }

  String line(Row row, Map<DuelCell, DuelFigures> results) {
    List<String> cells = new ArrayList<>();
    for (String controller : controllers) {
      DuelFigures figures = results.get(row.cell(controller));
      if (figures == null) {
        throw new IllegalStateException("not simulated: " + row.cell(controller).id());
      }
      cells.add(format.apply(figures));
    }
    return line(labelColumns(), row.label(), cells);
  }

  /** A line of the page's width at most: what the label leaves is the cells'. */
  static String line(int labelColumns, String label, List<String> cells) {
    int columns = cellColumns(labelColumns, cells.size());
    StringBuilder line = new StringBuilder("| ").append(padded(label, labelColumns));
    cells.forEach(cell -> line.append(" | ").append(padded(cell, columns)));
    return line.append(" |").toString();
  }

  static String ruler(int labelColumns, int cells) {
    return "|"
        + "-".repeat(labelColumns + 2)
        + ("|" + "-".repeat(cellColumns(labelColumns, cells) + 2)).repeat(cells)
        + "|";
  }

  private static int cellColumns(int labelColumns, int cells) {
    return (PAGE_COLUMNS - labelColumns - 4) / cells - 3;
  }

  private static String padded(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - text.length()));
  }

  /** Milliseconds, with a decimal below ten. */
  static String millis(double micros) {
    double millis = micros / 1_000;
    return decimals(millis, millis < 9.95 ? 1 : 0);
  }

  /** Per cent without its sign, with a decimal below ten. */
  static String percent(double ratio) {
    double percent = ratio * 100;
    return decimals(percent, Math.abs(percent) < 9.95 ? 1 : 0);
  }

  /** Seconds, with a decimal below ten; what takes longer than was waited for is so called. */
  static String seconds(double micros) {
    if (Double.isInfinite(micros)) {
      return ">" + DuelSetup.WAITED_SECONDS;
    }
    return decimals(micros / 1e6, micros < 9.95e6 ? 1 : 0);
  }

  static String decimals(double value, int decimals) {
    if (Double.isNaN(value)) {
      return "-";
    }
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    // No "-0.0".
    return text.matches("-0\\.?0*") ? text.substring(1) : text;
  }
}
