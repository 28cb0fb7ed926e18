package ebb.core.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A picture of figures, drawn by the page's script when it is opened. A chart knows its data and
 * how large it wants to be; it computes no figures but those of its kind and draws nothing itself.
 */
public sealed interface Chart permits LineChart, HeatMap, BoxPlot, BarChart {
  /** What it shows, above it and for readers who cannot see it. */
  String title();

  /** What the script draws; {@code type} says how. */
  Map<String, @Nullable Object> spec();

  /** How high the drawing is, in CSS pixels. */
  int heightPixels();

  /** Below this width it is scrolled sideways, 0 for a chart that fits everywhere. */
  int minWidthPixels();
}
