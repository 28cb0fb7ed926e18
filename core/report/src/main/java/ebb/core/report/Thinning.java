package ebb.core.report;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Leaves out the points of a long line that nobody can see: of the points in one pixel's width, the
 * first, the lowest, the highest and the last stay, so no peak is lost. Gaps stay gaps.
 */
final class Thinning {
  private static final int SHORT = 4_000;

  private Thinning() {}

  /** The indices that stay, ascending; all of a short line. */
  static int[] keep(Series series, DoubleUnaryOperator pixel) {
    int length = series.x().length;
    if (length <= SHORT) {
      int[] all = new int[length];
      Arrays.setAll(all, i -> i);
      return all;
    }
    int[] kept = new int[length];
    int count = 0;
    int from = 0;
    while (from < length) {
      boolean gap = !Double.isFinite(series.y()[from]);
      double column = Math.floor(pixel.applyAsDouble(series.x()[from]));
      int lowest = from;
      int highest = from;
      int to = from;
      while (to + 1 < length
          && Double.isFinite(series.y()[to + 1]) != gap
          && Math.floor(pixel.applyAsDouble(series.x()[to + 1])) == column) {
        to++;
        lowest = series.y()[to] < series.y()[lowest] ? to : lowest;
        highest = series.y()[to] > series.y()[highest] ? to : highest;
      }
      int[] candidates = {from, Math.min(lowest, highest), Math.max(lowest, highest), to};
      for (int candidate : candidates) {
        if (count == 0 || kept[count - 1] < candidate) {
          kept[count++] = candidate;
        }
      }
      from = to + 1;
    }
    return Arrays.copyOf(kept, count);
  }
}
