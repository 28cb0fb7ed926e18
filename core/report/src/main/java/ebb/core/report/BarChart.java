package ebb.core.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bars in groups, one group a category, or a histogram. Not thread-safe. */
public final class BarChart implements Chart {
  private static final int HEIGHT = 330;
  private static final int MIN_CATEGORY = 60;

  private final String title;
  private final String quantity;
  private final Unit unit;
  private final String categoryLabel;
  private final List<String> categories;
  private final Map<String, double[]> bars = new LinkedHashMap<>();
  private boolean histogram;

  /**
   * A chart without bars.
   *
   * @param quantity what the bars are
   * @param unit their base unit
   * @param categoryLabel what the categories are, empty when they say it themselves
   */
  public BarChart(
      String title, String quantity, Unit unit, String categoryLabel, List<String> categories) {
    this.title = title;
    this.quantity = quantity;
    this.unit = unit;
    this.categoryLabel = categoryLabel;
    this.categories = List.copyOf(categories);
  }

  /** Lets bars touch, and only some categories have their names below. */
  public BarChart histogram() {
    histogram = true;
    return this;
  }

  /** Adds a bar to each category; what is not finite has none. */
  public BarChart bars(String name, double[] values) {
    if (values.length != categories.size()) {
      throw new IllegalArgumentException(
          values.length + " bars for " + categories.size() + " categories");
    }
    bars.put(name, values.clone());
    return this;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public int heightPixels() {
    return HEIGHT;
  }

  @Override
  public int minWidthPixels() {
    return histogram ? 0 : MIN_CATEGORY * categories.size() + 74;
  }

  @Override
  public Map<String, @Nullable Object> spec() {
    double largest = 0;
    for (double[] values : bars.values()) {
      for (double value : values) {
        largest = Double.isFinite(value) ? Math.max(largest, Math.abs(value)) : largest;
      }
    }
    Unit.Scale scale = unit.scale(largest);
    List<Object> drawn = new ArrayList<>();
    bars.forEach(
        (name, values) -> {
          double[] scaled = values.clone();
          for (int i = 0; i < scaled.length; i++) {
            scaled[i] /= scale.size();
          }
          drawn.add(Json.object("name", name, "values", scaled));
        });
    return Json.object(
        "type", "bar",
        "title", title,
        "x", categoryLabel,
        "y", quantity + (scale.label().isEmpty() ? "" : ", " + scale.label()),
        "unit", scale.label(),
        "whole", unit == Unit.COUNT,
        "histogram", histogram,
        "categories", categories,
        "series", drawn);
  }
}
