package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a flow that harms nobody keeps in every cell: which limits hold where, and by how much a
 * cell misses or keeps them. It owns the limits; the figures are the runner's.
 */
final class DuelLimits {
  /** Slower links are shown, and not judged beside TCP. */
  private static final long JUDGED_BITS_PER_SECOND = 3_000_000;

  private static final long QUICK_BITS_PER_SECOND = 10_000_000;

  /** A rival that fills less of the link alone leaves room that may be taken. */
  private static final double FILLS = 0.9;

  private DuelLimits() {}

  /**
   * One limit in one cell.
   *
   * @param margin what is left until the limit, negative when it is missed: the difference of
   *     ratios; for times what is missing to the limit, of the longer of the two
   */
  record Verdict(String limit, double value, double bound, double margin) {
    boolean holds() {
      return margin >= 0;
    }

    /** {@code keeps 0.81 < 0.90}. */
    String text() {
      boolean below = holds() ? value >= bound : value < bound;
      return String.format(
          Locale.ROOT, "%s %s %s %s", limit, number(value), below ? "<" : ">", number(bound));
    }

    /** {@code keeps 0.81}. */
    String shortText() {
      return limit + " " + number(value);
    }

    String valueText() {
      return number(value);
    }

    private static String number(double value) {
      if (Double.isInfinite(value)) {
        return "never";
      }
      return String.format(Locale.ROOT, Math.abs(value) < 1.5 ? "%.3f" : "%.1f", value);
    }
  }

  /** The verdicts on a cell, those that miss most first; empty when nothing is asked of it. */
  static List<Verdict> judge(DuelCell cell, DuelFigures figures) {
    List<Verdict> verdicts = new ArrayList<>();
    DuelSetup setup = cell.setup();
    if (setup.rival().isTcp()) {
      besideTcp(cell, figures, verdicts);
    } else if (setup.isAmongItself()) {
      verdicts.add(atLeast("Jain", figures.jain(), 0.9));
      if (setup == DuelSetup.PAIR || setup == DuelSetup.PAIR_UNEQUAL) {
        verdicts.add(atLeast("smaller", figures.waste().smallest() / 2, 0.3));
      }
    } else if (setup.rival() == DuelSetup.Rival.NONE) {
      alone(cell, figures, verdicts);
    }
    verdicts.sort((a, b) -> Double.compare(a.margin(), b.margin()));
    return verdicts;
  }

  private static void besideTcp(DuelCell cell, DuelFigures figures, List<Verdict> verdicts) {
    DuelLink link = cell.link();
    boolean reported = link.trouble().queue() == DuelTrouble.Queue.FQ_CODEL;
    if (link.rateBitsPerSecond() < JUDGED_BITS_PER_SECOND || reported) {
      return;
    }
    boolean roomy =
        link.bufferMicros() >= link.rttMicros()
            && !link.isPoliced()
            && !link.trouble().queue().isActive();
    double kept = roomy ? 0.97 : 0.9;
    verdicts.add(atLeast("keeps", figures.tcp().keeps(), kept));
    verdicts.add(atLeast("from start", figures.tcp().keepsFromStart(), kept));
    if (figures.tcp().alone() >= FILLS) {
      verdicts.add(atMost("share", figures.share(), roomy ? 0.05 : 0.1));
    }
    if (link.loss() == 0 && !Double.isNaN(figures.recoveryMicros())) {
      double bound = Math.max(2, 10 * link.rttMicros() / 1e6);
      verdicts.add(time("back s", figures.recoveryMicros() / 1e6, bound));
    }
  }

  private static void alone(DuelCell cell, DuelFigures figures, List<Verdict> verdicts) {
    DuelLink link = cell.link();
    if (link.loss() == 0) {
      verdicts.add(atMost("resent", figures.waste().resent(), 0.03));
    }
    double used = used(link);
    if (used > 0) {
      verdicts.add(atLeast("used", figures.utilisation(), used));
    }
    boolean steady = link.trouble().change() == DuelTrouble.Change.NONE;
    if (link.rateBitsPerSecond() >= QUICK_BITS_PER_SECOND && steady) {
      verdicts.add(time("queue ms", figures.medianQueueMicros() / 1e3, 10));
    }
  }

  /** Of the link alone, at least; 0 for nothing asked. */
  private static double used(DuelLink link) {
    DuelTrouble trouble = link.trouble();
    if (trouble.change() != DuelTrouble.Change.NONE) {
      return 0.85;
    }
    if (link.loss() > 0) {
      return link.loss() <= 0.01 && trouble.jitterMicros() == 0 ? 0.9 : 0;
    }
    if (!link.isPoliced() && link.bufferMicros() < 1_000) {
      return 0;
    }
    double used = link.isPoliced() || link.bufferMicros() < 10_000 ? 0.85 : 0.95;
    if (trouble.jitterMicros() > 10_000) {
      return Math.min(used, 0.8);
    }
    return trouble.jitterMicros() > 0 ? Math.min(used, 0.9) : used;
  }

  private static Verdict atLeast(String limit, double value, double bound) {
    return new Verdict(limit, value, bound, Double.isNaN(value) ? -1 : value - bound);
  }

  private static Verdict atMost(String limit, double value, double bound) {
    return new Verdict(limit, value, bound, Double.isNaN(value) ? -1 : bound - value);
  }

  private static Verdict time(String limit, double value, double bound) {
    double margin = value <= bound ? 1 - value / bound : bound / value - 1;
    return new Verdict(limit, value, bound, Double.isNaN(value) ? -1 : margin);
  }
}
