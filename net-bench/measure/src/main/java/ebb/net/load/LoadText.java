package ebb.net.load;

import ebb.core.units.Human;
import ebb.net.echo.MarkText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was found as lines for people. */
public final class LoadText {
  private LoadText() {}

  /** A table and the answer. */
  public static List<String> lines(LoadOutcome outcome) {
    LoadPlan plan = outcome.plan();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "Round trips of a UDP probe (one each %s) while %d streams load the path for %s each way",
            Human.micros(plan.probeMicros()),
            plan.streams(),
            Human.micros(plan.loadMicros())));
    lines.add(
        String.format(
            Locale.ROOT,
            "%-11s %-5s %9s %9s %8s %8s %8s %8s %7s %7s  %s",
            "Load",
            "way",
            "Mbit/s dn",
            "Mbit/s up",
            "p50 ms",
            "p95 ms",
            "max ms",
            "added ms",
            "lost %",
            "RPM",
            "grade"));
    LoadCell idle = outcome.idle();
    for (LoadCell cell : outcome.cells()) {
      boolean loaded = !cell.load().equals(LoadCell.IDLE) && idle != null;
      lines.add(
          String.format(
                  Locale.ROOT,
                  "%-11s %-5s %9s %9s %8s %8s %8s %8s %7s %7s  %s",
                  cell.load(),
                  cell.way(),
                  number(cell.downBitsPerSecond() / 1e6),
                  number(cell.upBitsPerSecond() / 1e6),
                  number(cell.percentileMicros(50) / 1e3),
                  number(cell.percentileMicros(95) / 1e3),
                  number(cell.percentileMicros(100) / 1e3),
                  loaded && idle != null ? number(cell.addedMicros(idle) / 1e3) : "-",
                  number(100 * cell.lossRatio()),
                  Double.isNaN(cell.roundTripsPerMinute())
                      ? "-"
                      : String.format(Locale.ROOT, "%.0f", cell.roundTripsPerMinute()),
                  loaded && idle != null ? cell.grade(idle) : "")
              .stripTrailing());
    }
    lines.addAll(MarkText.sentences(outcome.marks()));
    if (!outcome.answer().isEmpty()) {
      lines.add(outcome.answer());
    }
    return lines;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }
}
