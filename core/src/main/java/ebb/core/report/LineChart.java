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
  private static final int PANEL_GAP = 44;
  private static final int TOP = 30;

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
    int height = TOP + panels.size() * (PANEL_HEIGHT + PANEL_GAP);
    Axis x = xAxis();
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                + " xmlns=\"http://www.w3.org/2000/svg\">",
            WIDTH,
            height,
            Html.escape(description)));
    for (int i = 0; i < panels.size(); i++) {
      drawPanel(svg, panels.get(i), x, TOP + i * (PANEL_HEIGHT + PANEL_GAP), i == 0);
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text></svg>",
            (LEFT + WIDTH - RIGHT) / 2,
            height - 4,
            Html.escape(xLabel)));
    return svg.toString();
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
      high = Math.max(high, reference.value);
    }
    return Axis.of(low, high > low ? high * 1.05 : low + 1, 4);
  }

  private void drawPanel(StringBuilder svg, Panel panel, Axis x, int top, boolean first) {
    Axis y = yAxis(panel);
    int bottom = top + PANEL_HEIGHT;
    text(svg, "title", LEFT, top - 10, "start", panel.title);
    for (Range range : ranges) {
      double from = x(x, range.from);
      double to = x(x, range.to);
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"range\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
              from,
              top,
              to - from,
              PANEL_HEIGHT));
      if (first) {
        text(svg, "range-label", (from + to) / 2, top + 14, "middle", range.label);
      }
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
    for (Reference reference : panel.references) {
      double at = y(y, reference.value, top);
      line(svg, "reference", LEFT, at, WIDTH - RIGHT, at);
      text(svg, "axis", WIDTH - RIGHT - 4, at - 4, "end", reference.label);
    }
    for (int i = 0; i < panel.series.size(); i++) {
      path(svg, panel.series.get(i), i, x, y, top);
    }
    drawLegend(svg, panel, top);
  }

  private static void drawLegend(StringBuilder svg, Panel panel, int top) {
    if (panel.series.size() < 2) {
      return;
    }
    double at = WIDTH - RIGHT;
    for (int i = panel.series.size() - 1; i >= 0; i--) {
      String name = panel.series.get(i).name();
      text(svg, "legend", at, top - 10, "end", name);
      at -= 7.2 * name.length() + 6;
      line(svg, "series s" + i, at - 18, top - 14, at, top - 14);
      at -= 34;
    }
  }

  private static void path(StringBuilder svg, Series series, int index, Axis x, Axis y, int top) {
    svg.append("<path class=\"series s").append(index).append("\" d=\"");
    boolean drawing = false;
    for (int i = 0; i < series.x().length; i++) {
      double value = series.y()[i];
      if (!Double.isFinite(value)) {
        drawing = false;
        continue;
      }
      svg.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f",
              drawing ? "L" : "M",
              x(x, series.x()[i]),
              y(y, value, top)));
      drawing = true;
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
