package ebb.core.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of a page: texts on the left, figures on the right, each column of figures in one unit
 * that its head names. A reader can sort it; on a narrow page each row is a card. Not thread-safe.
 */
public final class Table {
  private static final int MAX_NARROW_COLUMNS = 3;
  private static final int FAR_APART = 1_000;
  private static final String UNKNOWN = "\u2013";

  private record Column(String name, @Nullable Unit unit) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  private boolean inOneUnit;
  private boolean leavingOutUnknown;

  /** All columns of figures of one kind have the same unit: such that are to be compared. */
  public Table inOneUnit() {
    inOneUnit = true;
    return this;
  }

  /** A column of figures of which none is known is not shown. */
  public Table leavingOutUnknown() {
    leavingOutUnknown = true;
    return this;
  }

  /** Adds a column of texts. */
  public Table text(String name) {
    columns.add(new Column(name, null));
    return this;
  }

  /** Adds a column of numbers that are given in a base unit. */
  public Table number(String name, Unit unit) {
    columns.add(new Column(name, unit));
    return this;
  }

  /**
   * Adds a row, as many cells as there are columns. In a column of numbers null and what is not
   * finite are unknown, and a text stands as it is.
   */
  public Table row(@Nullable Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.length + " cells in a table of " + columns.size() + " columns");
    }
    rows.add(cells.clone());
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  String toHtml() {
    List<Unit.@Nullable Scale> scales = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Unit unit = columns.get(i).unit;
      scales.add(unit == null ? null : scale(unit, i));
    }
    int[] shown = IntStream.range(0, columns.size()).filter(this::isShown).toArray();
    boolean wide = shown.length > MAX_NARROW_COLUMNS;
    StringBuilder html = new StringBuilder(wide ? "<div class=\"across\">" : "");
    html.append("<table class=\"sortable").append(wide ? " wide" : "").append("\"><thead><tr>");
    for (int i : shown) {
      Unit.Scale scale = scales.get(i);
      html.append(scale == null ? "<th>" : "<th class=\"n\">").append("<button type=\"button\">");
      html.append(Html.escape(columns.get(i).name)).append("</button>");
      if (scale != null && !scale.label().isEmpty()) {
        html.append("<small>").append(scale.label()).append("</small>");
      }
      html.append("</th>");
    }
    html.append("</tr></thead><tbody>");
    for (Object[] row : rows) {
      html.append("<tr>");
      for (int i : shown) {
        cell(html, columns.get(i), scales.get(i), row[i]);
      }
      html.append("</tr>");
    }
    return html.append("</tbody></table>").append(wide ? "</div>" : "").toString();
  }

  private boolean isShown(int column) {
    return !leavingOutUnknown
        || columns.get(column).unit == null
        || rows.stream().anyMatch(row -> isKnown(row[column]));
  }

  private static boolean isKnown(@Nullable Object cell) {
    return cell instanceof Number number
        ? Double.isFinite(number.doubleValue())
        : cell instanceof String;
  }

  /**
   * One unit for a column: that of the middle of its values on a logarithmic scale, with as many
   * decimals as the smallest needs, or as each needs where they lie far apart; whole numbers
   * without a prefix have none.
   */
  private Unit.Scale scale(Unit unit, int column) {
    double[] values =
        rows.stream()
            .flatMap(
                row ->
                    IntStream.range(0, columns.size())
                        .filter(i -> i == column || (inOneUnit && columns.get(i).unit == unit))
                        .mapToObj(i -> row[i]))
            .filter(Number.class::isInstance)
            .mapToDouble(number -> Math.abs(((Number) number).doubleValue()))
            .filter(value -> Double.isFinite(value) && value > 0)
            .toArray();
    double middle = Math.exp(Arrays.stream(values).map(Math::log).average().orElse(0));
    Unit.Scale scale = unit.scale(middle * (1 + 1e-9));
    if (scale.size() == 1 && Arrays.stream(values).allMatch(value -> value == Math.rint(value))) {
      return new Unit.Scale(1, scale.label(), 0);
    }
    double smallest = Arrays.stream(values).min().orElse(100) / scale.size();
    double largest = Arrays.stream(values).max().orElse(0) / scale.size();
    int decimals =
        largest >= FAR_APART * smallest ? Unit.Scale.EACH_ITS_OWN : Unit.decimals(smallest);
    return new Unit.Scale(scale.size(), scale.label(), unit == Unit.COUNT ? 0 : decimals);
  }

  private static void cell(
      StringBuilder html, Column column, Unit.@Nullable Scale scale, @Nullable Object value) {
    html.append(scale == null ? "<td" : "<td class=\"n\"");
    String label =
        scale == null || scale.label().isEmpty() ? column.name : column.name + ", " + scale.label();
    html.append(" data-label=\"").append(Html.escape(label)).append('"');
    String text = value == null ? UNKNOWN : value.toString();
    if (scale != null && value instanceof Number number) {
      double known = number.doubleValue();
      text = Double.isFinite(known) ? scale.text(known) : UNKNOWN;
      if (Double.isFinite(known)) {
        html.append(String.format(Locale.ROOT, " data-v=\"%s\"", known));
      }
    }
    html.append('>').append(Html.escape(text)).append("</td>");
  }
}
