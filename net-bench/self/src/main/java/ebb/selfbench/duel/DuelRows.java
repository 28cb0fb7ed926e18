package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells and their figures as lines, those that miss the limits most first. */
final class DuelRows {
  private static final String FORMAT = "%-46s %6s %6s %6s %6s %6s %6s %6s %6s %6s  %s";
  private static final String HEADER =
      String.format(
          Locale.ROOT,
          FORMAT,
          "cell",
          "keeps",
          "alone",
          "share",
          "resent",
          "used",
          "q50 ms",
          "q95 ms",
          "Jain",
          "back s",
          "limits");

  private DuelRows() {}

  /** One cell with the limit that it misses most, or keeps by least. */
  private record Judged(DuelCell cell, DuelFigures figures, List<DuelLimits.Verdict> verdicts) {
    double margin() {
      return verdicts.isEmpty() ? Double.POSITIVE_INFINITY : verdicts.get(0).margin();
    }
  }

  static List<String> lines(List<DuelCell> cells, Map<DuelCell, DuelFigures> results) {
    List<Judged> judged = new ArrayList<>();
    for (DuelCell cell : cells) {
      DuelFigures figures = results.get(cell);
      if (figures != null) {
        judged.add(new Judged(cell, figures, DuelLimits.judge(cell, figures)));
      }
    }
    judged.sort((a, b) -> Double.compare(a.margin(), b.margin()));
    List<String> lines = new ArrayList<>(List.of(HEADER));
    judged.forEach(row -> lines.add(line(row)));
    long missed = judged.stream().filter(row -> row.margin() < 0).count();
    lines.add(missed + " of " + judged.size() + " cells miss a limit");
    return lines;
  }

  private static String line(Judged row) {
    DuelFigures figures = row.figures();
    List<String> missed =
        row.verdicts().stream()
            .filter(verdict -> !verdict.holds())
            .map(DuelLimits.Verdict::text)
            .toList();
    String limits = missed.isEmpty() ? "ok" : String.join(", ", missed);
    return String.format(
        Locale.ROOT,
        FORMAT,
        row.cell().id(),
        number(figures.tcp().keeps(), 3),
        number(figures.tcp().alone(), 3),
        number(figures.share(), 3),
        number(figures.waste().resent(), 3),
        number(figures.utilisation(), 3),
        number(figures.medianQueueMicros() / 1e3, 1),
        number(figures.highQueueMicros() / 1e3, 1),
        number(figures.jain(), 3),
        number(figures.recoveryMicros() / 1e6, 2),
        row.verdicts().isEmpty() ? "-" : limits);
  }

  private static String number(double value, int decimals) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return Double.isInfinite(value)
        ? "never"
        : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
