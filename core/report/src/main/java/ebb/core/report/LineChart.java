package ebb.core.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Line charts stacked over one shared x axis. Lines of the same name have the same colour in all
 * panels and are shown and hidden together. Not thread-safe.
 */
public final class LineChart implements Chart {
  private static final int PANEL_HEIGHT = 170;
  private static final int PANEL_STEP = PANEL_HEIGHT + 58;
  private static final int BOTTOM = 14;

  private record Reference(double value, String label) {}

  private record Range(double from, double to, String label) {}

  private static final class Panel {
    final String title;
    final Unit unit;
    final boolean log;
    final List<Series> series;
    final List<Reference> references = new ArrayList<>();

    Panel(String title, Unit unit, boolean log, List<Series> series) {
      this.title = title;
      this.unit = unit;
      this.log = log;
      this.series = series;
    }

    Unit.Scale scale() {
      double largest = 0;
      for (Series line : series) {
        for (double value : line.y()) {
          largest = Double.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
        }
      }
      for (Reference reference : references) {
        largest = Math.max(largest, Math.abs(reference.value));
      }
      return log ? unit.logScale() : unit.scale(largest);
    }
  }

  /** Where x lies on its axis, and how it is told. */
  private enum XScale {
    PLAIN,
    NINES,
    BINARY,
    DECADES
  }

  private final String title;
  private final String xLabel;
  private final List<Panel> panels = new ArrayList<>();
  private final List<Range> ranges = new ArrayList<>();
  private XScale xScale = XScale.PLAIN;
  private boolean logarithmicWhereWide;

  /**
   * A chart without panels.
   *
   * @param title of the whole
   * @param xLabel what x is, with its unit
   */
  public LineChart(String title, String xLabel) {
    this.title = title;
    this.xLabel = xLabel;
  }

  /** Makes x an axis of percentiles, 0 to below 100, on which each further nine has its place. */
  public LineChart percentiles() {
    xScale = XScale.NINES;
    return this;
  }

  /** Makes x an axis of bytes, above 0, on which each power of two has its place. */
  public LineChart powersOfTwo() {
    xScale = XScale.BINARY;
    return this;
  }

  /**
   * Makes x a logarithmic axis if the values, all above 0, ask for it: a linear one would press
   * half of them into its first tenth.
   */
  public LineChart logarithmicWhereWide() {
    logarithmicWhereWide = true;
    return this;
  }

  private XScale xScale() {
    if (!logarithmicWhereWide) {
      return xScale;
    }
    double[] all =
        panels.stream()
            .flatMap(panel -> panel.series.stream())
            .flatMapToDouble(line -> Arrays.stream(line.x()))
            .sorted()
            .toArray();
    boolean wide = all.length > 0 && all[0] > 0 && all[all.length - 1] > 10 * all[all.length / 2];
    return wide ? XScale.DECADES : xScale;
  }

  /** Adds a panel below the others; {@code name} names the quantity and its unit. */
  public LineChart panel(String name, Series... series) {
    return panel(name, Unit.NONE, series);
  }

  /** Adds a panel below the others, of values in a base unit. */
  public LineChart panel(String name, Unit unit, Series... series) {
    panels.add(new Panel(name, unit, false, List.of(series)));
    return this;
  }

  /** Adds a panel with a logarithmic axis; what is not above 0 leaves a gap. */
  public LineChart logPanel(String name, Unit unit, Series... series) {
    panels.add(new Panel(name, unit, true, List.of(series)));
    return this;
  }

  public boolean isEmpty() {
    return panels.isEmpty();
  }

  /** Adds a dashed line to the panel added last, at a value in its base unit. */
  public LineChart reference(double value, String label) {
    panels.get(panels.size() - 1).references.add(new Reference(value, label));
    return this;
  }

  /** Shades a range of x in all panels. */
  public LineChart range(double from, double to, String label) {
    ranges.add(new Range(from, to, label));
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public int heightPixels() {
    return PANEL_STEP * panels.size() + BOTTOM;
  }

  @Override
  public int minWidthPixels() {
    return 0;
  }

  @Override
  public Map<String, @Nullable Object> spec() {
    IdentityHashMap<double[], Integer> places = new IdentityHashMap<>();
    List<double[]> xs = new ArrayList<>();
    List<Object> drawn = new ArrayList<>();
    for (Panel panel : panels) {
      Unit.Scale scale = panel.scale();
      List<Object> lines = new ArrayList<>();
      for (Series line : panel.series) {
        Integer place = places.get(line.x());
        if (place == null) {
          place = xs.size();
          places.put(line.x(), place);
          xs.add(line.x());
        }
        double[] y = scaled(line.y(), scale, panel.log);
        lines.add(Json.object("name", line.name(), "x", place, "y", y));
      }
      List<Object> references = new ArrayList<>();
      for (Reference reference : panel.references) {
        references.add(Json.object("y", reference.value / scale.size(), "label", reference.label));
      }
      drawn.add(
          Json.object(
              "title",
              panel.title,
              "unit",
              scale.label(),
              "log",
              panel.log,
              "whole",
              panel.unit == Unit.COUNT,
              "series",
              lines,
              "references",
              references));
    }
    List<Object> shaded = new ArrayList<>();
    for (Range range : ranges) {
      if (touches(range, xs)) {
        shaded.add(Json.object("from", range.from, "to", range.to, "label", range.label));
      }
    }
    return Json.object(
        "type", "line",
        "title", title,
        "x", xLabel,
        "xScale", xScale().name().toLowerCase(Locale.ROOT),
        "panelHeight", PANEL_HEIGHT,
        "xs", xs,
        "panels", drawn,
        "ranges", shaded);
  }

  private static boolean touches(Range range, List<double[]> xs) {
    return xs.stream()
        .filter(x -> x.length > 0)
        .anyMatch(x -> range.from < x[x.length - 1] && range.to > x[0]);
  }

  private static double[] scaled(double[] values, Unit.Scale scale, boolean log) {
    double[] scaled = new double[values.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = log && !(values[i] > 0) ? Double.NaN : values[i] / scale.size();
    }
    return scaled;
  }
}
