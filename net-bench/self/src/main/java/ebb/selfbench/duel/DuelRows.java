package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Judged cells as lines with all their figures. */
final class DuelRows {
  private static final String FORMAT = "%-46s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s  %s";
  private static final String HEADER =
      String.format(
          Locale.ROOT,
          FORMAT,
          "cell",
          "keeps",
          "start",
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

  static List<String> lines(List<JudgedCell> worstFirst) {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    worstFirst.forEach(judged -> lines.add(line(judged)));
    long missed = worstFirst.stream().filter(judged -> !judged.holds()).count();
    lines.add(missed + " of " + worstFirst.size() + " cells miss a limit");
    return lines;
  }

  private static String line(JudgedCell judged) {
    DuelFigures figures = judged.figures();
    String verdict = judged.verdicts().isEmpty() ? "-" : judged.holds() ? "ok" : judged.missed();
    return String.format(
        Locale.ROOT,
        FORMAT,
        judged.cell().id(),
        number(figures.tcp().keeps(), 3),
        number(figures.tcp().keepsFromStart(), 3),
        number(figures.tcp().alone(), 3),
        number(figures.share(), 3),
        number(figures.waste().resent(), 3),
        number(figures.utilisation(), 3),
        number(figures.medianQueueMicros() / 1e3, 1),
        number(figures.highQueueMicros() / 1e3, 1),
        number(figures.jain(), 3),
        number(figures.recoveryMicros() / 1e6, 2),
        verdict);
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
