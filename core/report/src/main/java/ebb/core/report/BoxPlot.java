package ebb.core.report;

import ebb.core.stats.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Box plots below one another over a shared axis from 0: the box from the first to the third
 * quartile with the median in it, whiskers to the extremes, and the values as points. Of many
 * values 500 are drawn, evenly spread over their order. Not thread-safe.
 */
public final class BoxPlot implements Chart {
  private static final int ROW = 44;
  private static final int AROUND = 58;
  private static final int MAX_POINTS = 500;

  private final String title;
  private final String quantity;
  private final Unit unit;
  private final Map<String, double[]> boxes = new LinkedHashMap<>();

  /**
   * A plot without boxes.
   *
   * @param quantity what the values are
   * @param unit their base unit
   */
  public BoxPlot(String title, String quantity, Unit unit) {
    this.title = title;
    this.quantity = quantity;
    this.unit = unit;
  }

  /** Adds a box below the others, of at least one value. */
  public BoxPlot box(String label, double[] values) {
    boxes.put(label, values.clone());
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public int heightPixels() {
    return ROW * boxes.size() + AROUND;
  }

  @Override
  public int minWidthPixels() {
    return 0;
  }

  @Override
  public Map<String, @Nullable Object> spec() {
    double largest = boxes.values().stream().flatMapToDouble(Arrays::stream).max().orElse(1);
    Unit.Scale scale = unit.scale(largest);
    List<Object> drawn = new ArrayList<>();
    boxes.forEach((label, values) -> drawn.add(box(label, values, scale)));
    return Json.object(
        "type",
        "box",
        "title",
        title,
        "x",
        quantity + (scale.label().isEmpty() ? "" : ", " + scale.label()),
        "unit",
        scale.label(),
        "boxes",
        drawn);
  }

  private static Map<String, @Nullable Object> box(
      String label, double[] values, Unit.Scale scale) {
    double[] sorted = Arrays.stream(values).map(value -> value / scale.size()).sorted().toArray();
    Summary of = Summary.of(sorted);
    double[] five = {of.min(), of.percentile(25), of.median(), of.percentile(75), of.max()};
    return Json.object(
        "label",
        label,
        "count",
        of.count(),
        "five",
        five,
        "points",
        Series.thinned(sorted, MAX_POINTS));
  }
}
