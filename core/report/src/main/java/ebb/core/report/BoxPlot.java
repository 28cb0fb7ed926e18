package ebb.core.report;

import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Box plots below one another over a shared axis from 0, as an inline SVG: the box from the first
 * to the third quartile with the median in it, whiskers to the extremes. It draws; it computes no
 * figures but those.
 */
public final class BoxPlot {
  private static final int WIDTH = 960;
  private static final int LEFT = 260;
  private static final int RIGHT = 24;
  private static final int TOP = 30;
  private static final int ROW = 34;
  private static final int BOX = 18;
  private static final int BOTTOM = 46;
  private static final int TICKS = 8;

  private record Box(String label, Summary of) {}

  private final String title;
  private final String axisLabel;
  private final List<Box> boxes = new ArrayList<>();

  /**
   * A plot without boxes.
   *
   * @param title also for readers who cannot see it
   * @param axisLabel the quantity with its unit
   */
  public BoxPlot(String title, String axisLabel) {
    this.title = title;
    this.axisLabel = axisLabel;
  }

  /** Adds a box below the others. */
  public BoxPlot box(String label, Summary of) {
    boxes.add(new Box(label, of));
    return this;
  }

  /** The SVG element. */
  public String toSvg() {
    double high = boxes.stream().mapToDouble(box -> box.of.max()).reduce(0, Math::max);
    Axis axis = Axis.of(0, high > 0 ? high : 1, TICKS);
    int bottom = TOP + ROW * boxes.size();
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
            + " xmlns=\"http://www.w3.org/2000/svg\">",
        WIDTH,
        bottom + BOTTOM,
        Html.escape(title));
    text(svg, "title", 0, 16, "start", title);
    for (int i = 0; i <= axis.tickCount(); i++) {
      double at = x(axis, axis.tick(i));
      line(svg, "grid", at, TOP, at, bottom);
      text(svg, "axis", at, bottom + 17, "middle", axis.label(i));
    }
    for (int i = 0; i < boxes.size(); i++) {
      draw(svg, boxes.get(i), axis, TOP + ROW * i + ROW / 2);
    }
    text(svg, "axis", (LEFT + WIDTH - RIGHT) / 2.0, bottom + BOTTOM - 8, "middle", axisLabel);
    return svg.append("</svg>").toString();
  }

  private static void draw(StringBuilder svg, Box box, Axis axis, int middle) {
    Summary of = box.of;
    double first = x(axis, of.percentile(25));
    double third = x(axis, of.percentile(75));
    text(svg, "legend", LEFT - 12, middle + 4, "end", box.label);
    line(svg, "series s0", x(axis, of.min()), middle, first, middle);
    line(svg, "series s0", third, middle, x(axis, of.max()), middle);
    line(svg, "series s0", x(axis, of.min()), middle - 5, x(axis, of.min()), middle + 5);
    line(svg, "series s0", x(axis, of.max()), middle - 5, x(axis, of.max()), middle + 5);
    add(
        svg,
        "<rect class=\"series s0\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s</title>"
            + "</rect>",
        first,
        middle - BOX / 2,
        Math.max(1, third - first),
        BOX,
        Html.escape(box.label + ": " + of.count() + " values"));
    double median = x(axis, of.median());
    line(svg, "series s1", median, middle - BOX / 2.0, median, middle + BOX / 2.0);
  }

  private static double x(Axis axis, double value) {
    return LEFT + axis.fraction(value) * (WIDTH - LEFT - RIGHT);
  }

  private static void line(
      StringBuilder svg, String style, double x1, double y1, double x2, double y2) {
    add(
        svg,
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        style,
        x1,
        y1,
        x2,
        y2);
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
