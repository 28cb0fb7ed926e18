package ebb.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Line charts stacked over one shared x axis, as an inline SVG that needs nothing from outside. It
 * draws; it computes no figures. Colours come from the page's CSS variables, so that the chart
 * follows light and dark.
 */
public final class LineChart {
  private static final int WIDTH = 960;
  private static final int LEFT = 64;
  private static final int RIGHT = 16;
  private static final int PANEL_HEIGHT = 170;
  private static final int PANEL_GAP = 56;
  private static final int TOP = 30;
  private static final int BOTTOM = 44;
  private static final int COLOURS = 8;
  private static final int Y_TICKS = 6;
  private static final int LEGEND_ROW = 18;
  private static final double LETTER = 7.2;

  private record Reference(double value, String label) {}

  private record Range(double from, double to, String label) {}

  private static final class Panel {
    final String title;
    final List<Series> series;
    final List<Reference> references = new ArrayList<>();

    Panel(String title, List<Series> series) {
      this.title = title;
      this.series = series;
    }
  }

  private final String description;
  private final String xLabel;
  private final List<Panel> panels = new ArrayList<>();
  private final List<Range> ranges = new ArrayList<>();

  /**
   * A chart without panels.
   *
   * @param description for readers who cannot see it
   * @param xLabel with its unit
   */
  public LineChart(String description, String xLabel) {
    this.description = description;
    this.xLabel = xLabel;
  }

  /** Adds a panel below the others; {@code title} names the quantity and its unit. */
  public LineChart panel(String title, Series... series) {
    panels.add(new Panel(title, List.of(series)));
    return this;
  }

  /** Adds a dashed line to the panel added last. */
  public LineChart reference(double value, String label) {
    panels.get(panels.size() - 1).references.add(new Reference(value, label));
    return this;
  }

  /** Shades a range of x in all panels. */
  public LineChart range(double from, double to, String label) {
    ranges.add(new Range(from, to, label));
    return this;
  }

  /** The SVG element. */
  public String toSvg() {
    Axis x = xAxis();
    StringBuilder drawn = new StringBuilder();
    int top = TOP;
    int bottom = TOP;
    for (int i = 0; i < panels.size(); i++) {
      Panel panel = panels.get(i);
      Legend legend = Legend.of(panel);
      text(drawn, "title", LEFT, top - 10, "start", panel.title);
      legend.draw(drawn, top - 10);
      top += legend.extraRows() * LEGEND_ROW;
      drawPanel(drawn, panel, x, top, i == 0);
      bottom = top + PANEL_HEIGHT;
      top = bottom + PANEL_GAP;
    }
    int height = bottom + BOTTOM;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                + " xmlns=\"http://www.w3.org/2000/svg\">",
            WIDTH,
            height,
            Html.escape(description)));
    svg.append(drawn);
    text(svg, "axis", (LEFT + WIDTH - RIGHT) / 2.0, height - 4, "middle", xLabel);
    return svg.append("</svg>").toString();
  }

  private Axis xAxis() {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Panel panel : panels) {
      for (Series series : panel.series) {
        for (double value : series.x()) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    return low <= high ? Axis.of(low, high, 12) : Axis.of(0, 1, 10);
  }

  private static Axis yAxis(Panel panel) {
    double low = 0;
    double high = 0;
    for (Series series : panel.series) {
      for (double value : series.y()) {
        if (Double.isFinite(value)) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    for (Reference reference : panel.references) {
      low = Math.min(low, reference.value);
      high = Math.max(high, reference.value);
    }
    return Axis.of(low, high > low ? high + (high - low) * 0.05 : low + 1, Y_TICKS);
  }

  private void drawPanel(StringBuilder svg, Panel panel, Axis x, int top, boolean first) {
    Axis y = yAxis(panel);
    int bottom = top + PANEL_HEIGHT;
    for (Range range : ranges) {
      double from = Math.max(LEFT, x(x, range.from));
      double to = Math.min(WIDTH - RIGHT, x(x, range.to));
      if (!(from < to)) {
        continue;
      }
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"range\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
              from,
              top,
              to - from,
              PANEL_HEIGHT));
    }
    for (int i = 0; i <= y.tickCount(); i++) {
      double at = y(y, y.tick(i), top);
      line(svg, "grid", LEFT, at, WIDTH - RIGHT, at);
      text(svg, "axis", LEFT - 8, at + 4, "end", y.label(i));
    }
    for (int i = 0; i <= x.tickCount(); i++) {
      double at = x(x, x.tick(i));
      line(svg, "tick", at, bottom, at, bottom + 4);
      text(svg, "axis", at, bottom + 17, "middle", x.label(i));
    }
    for (int i = 0; i < panel.series.size(); i++) {
      path(svg, panel.series.get(i), i, x, y, top);
    }
    // Above the lines, which would hide a TARGET that they keep to.
    for (Reference reference : panel.references) {
      double at = y(y, reference.value, top);
      line(svg, "reference", LEFT, at, WIDTH - RIGHT, at);
      text(svg, "axis halo", WIDTH - RIGHT - 4, at - 6, "end", reference.label);
    }
    if (first) {
      drawRangeLabels(svg, x, top);
    }
  }

  private void drawRangeLabels(StringBuilder svg, Axis x, int top) {
    for (Range range : ranges) {
      double from = Math.max(LEFT, x(x, range.from));
      double to = Math.min(WIDTH - RIGHT, x(x, range.to));
      if (from < to) {
        // In the middle of the range, but never out of the drawing.
        double half = Math.min((WIDTH - LEFT - RIGHT) / 2.0, LETTER * range.label.length() / 2 + 4);
        double at = Math.max(LEFT + half, Math.min(WIDTH - RIGHT - half, (from + to) / 2));
        text(svg, "range-label halo", at, top + 14, "middle", range.label);
      }
    }
  }

  /** Where the names of a panel's series stand: beside the title, else in rows below it. */
  private record Legend(List<String> names, List<Double> lefts, List<Integer> rows) {
    static Legend of(Panel panel) {
      List<String> names = new ArrayList<>();
      panel.series.forEach(series -> names.add(series.name()));
      List<Double> lefts = new ArrayList<>();
      List<Integer> rows = new ArrayList<>();
      if (names.size() < 2) {
        return new Legend(List.of(), lefts, rows);
      }
      double total = names.stream().mapToDouble(Legend::width).sum();
      double free = WIDTH - RIGHT - LEFT - LETTER * panel.title.length() - 24;
      boolean beside = total <= free;
      double at = beside ? WIDTH - RIGHT - total : LEFT;
      int row = beside ? 0 : 1;
      for (String name : names) {
        if (!beside && at > LEFT && at + width(name) > WIDTH - RIGHT) {
          at = LEFT;
          row++;
        }
        lefts.add(at);
        rows.add(row);
        at += width(name);
      }
      return new Legend(names, lefts, rows);
    }

    private static double width(String name) {
      return 24 + LETTER * name.length() + 18;
    }

    int extraRows() {
      return rows.isEmpty() ? 0 : rows.get(rows.size() - 1);
    }

    void draw(StringBuilder svg, int baseline) {
      for (int i = 0; i < names.size(); i++) {
        double left = lefts.get(i);
        int y = baseline + rows.get(i) * LEGEND_ROW;
        line(svg, "series s" + i % COLOURS, left, y - 4, left + 18, y - 4);
        text(svg, "legend", left + 24, y, "start", names.get(i));
      }
    }
  }

  private static void path(StringBuilder svg, Series series, int index, Axis x, Axis y, int top) {
    svg.append("<path class=\"series s").append(index % COLOURS).append("\" d=\"");
    int[] kept = Thinning.keep(series, value -> x(x, value));
    for (int i = 0; i < kept.length; i++) {
      double value = series.y()[kept[i]];
      if (!Double.isFinite(value)) {
        continue;
      }
      boolean joined = i > 0 && Double.isFinite(series.y()[kept[i - 1]]);
      boolean lone = !joined && (i + 1 == kept.length || !Double.isFinite(series.y()[kept[i + 1]]));
      // A point that no line leads to is a short dash.
      String format = joined ? "L%.1f %.1f" : lone ? "M%.1f %.1fm-2.5 0h5" : "M%.1f %.1f";
      svg.append(String.format(Locale.ROOT, format, x(x, series.x()[kept[i]]), y(y, value, top)));
    }
    svg.append("\"><title>").append(Html.escape(series.name())).append("</title></path>");
  }

  private static double x(Axis axis, double value) {
    return LEFT + axis.fraction(value) * (WIDTH - LEFT - RIGHT);
  }

  private static double y(Axis axis, double value, int top) {
    return top + PANEL_HEIGHT * (1 - axis.fraction(value));
  }

  private static void line(
      StringBuilder svg, String style, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            style,
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(
      StringBuilder svg, String style, double x, double y, String anchor, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
            style,
            x,
            y,
            anchor,
            Html.escape(words)));
  }
}
