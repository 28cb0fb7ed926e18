package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The part of docs/duels.md about the grid: each limit with its worst cell, what a rival keeps on
 * every drop-tail link, and every cell that misses a limit. The same figures give the same bytes.
 */
final class DuelGridSection {
  static final String TITLE = "On links of every sort";
  static final String MISSED = "What is missed";
  private static final int PAGE_COLUMNS = 100;
  private static final String INTRODUCTION =
      """
      What a background flow must keep on any path, and `CONTROLLER` on each of these links:

          ./ebb sim duels --grid CONTROLLER --plot duels.html    # every figure, and heat maps

      - Drop-tail: every rate (1, 3, 10, 17, 50, 100 Mbit/s) with every round trip (5, 20, 43, 100,
        250 ms) and every buffer (0.1, 0.25, 0.5, 1, 2, 3 products of the two, 5, 30, 100, 300 ms;
        two packets at least), beside Reno, CUBIC and BBR in either order by turns.
      - CoDel, PIE, RED, FQ-CoDel, policers with buckets of 20, 60 and 200 kB, jitter of 5, 10 and
        20 ms, service in bursts, a narrow way back, random loss of 0.1 to 2%: each with every rate
        from 3 Mbit/s on, round trip, buffer and rival, in ten combinations; and at 10, 17 and 50
        Mbit/s with 43 ms and 30 ms of buffer beside CUBIC in either order.
      - Alone on the same links; two, five and ten of a kind, and two with round trips that differ
        by 60 ms; rates and routes that change every 2 and 10 s; four cells at 500 Mbit/s.

      Three seeds up to 20 Mbit/s, two at 50, one above, each judged by itself. A cell is named by its
      setup and its link; `#2` is its second seed. Beside TCP, cells from 3 Mbit/s on are judged.
      """;

  /** A limit, in words. */
  private static final Map<String, String> LIMITS = limits();

  private final List<JudgedCell> worstFirst;
  private final String controller;

  DuelGridSection(String controller, Map<DuelCell, DuelFigures> results) {
    this.controller = controller;
    worstFirst = JudgedCell.worstFirst(DuelGrid.cells(controller), results);
  }

  private static Map<String, String> limits() {
    Map<String, String> limits = new LinkedHashMap<>();
    limits.put("keeps", "TCP keeps 0.90; 0.97 from 1 BDP on");
    limits.put("from start", "the same, from the second's first packet on");
    limits.put("share", "share beside TCP 0.10; 0.05 from 1 BDP on");
    limits.put("back s", "90% again in 2 s or 10 round trips");
    limits.put("resent", "resent alone 0.03");
    limits.put("used", "used alone 0.95; where hard 0.80 to 0.90");
    limits.put("queue ms", "median queue 10 ms from 10 Mbit/s on");
    limits.put("Jain", "Jain's index of a kind 0.90");
    limits.put("smaller", "the smaller of two 0.30");
    return limits;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("## " + TITLE);
    lines.add("");
    String text = INTRODUCTION.replace("CONTROLLER", controller);
    lines.addAll(List.of(text.strip().split("\n", -1)));
    lines.add("");
    lines.addAll(limitLines());
    lines.add("");
    lines.add(
        "What TCP keeps on each drop-tail link, in %, in the worst of its seeds; `!` where a");
    lines.add("limit is missed. Rate and round trip, then buffers.");
    lines.add("");
    lines.addAll(heatLines());
    lines.add("");
    lines.add("### " + MISSED);
    lines.add("");
    lines.addAll(missedLines());
    return lines;
  }

  /** A line for each limit: in how many cells it is kept, and the worst of them. */
  private List<String> limitLines() {
    List<String> lines = new ArrayList<>();
    lines.add("| limit | kept in | worst | where |");
    lines.add("|---|---|---|---|");
    LIMITS.forEach(
        (limit, words) -> {
          int all = 0;
          int kept = 0;
          DuelLimits.Verdict worst = null;
          String where = "-";
          for (JudgedCell judged : worstFirst) {
            DuelLimits.Verdict verdict = judged.by(limit).orElse(null);
            if (verdict != null) {
              all++;
              kept += verdict.holds() ? 1 : 0;
              if (worst == null || verdict.margin() < worst.margin()) {
                worst = verdict;
                where = judged.cell().place();
              }
            }
          }
          lines.add(
              String.format(
                  Locale.ROOT,
                  "| %s | %s | %s | %s |",
                  words,
                  kept == all ? "all " + all : kept + " of " + all,
                  worst == null ? "-" : worst.valueText(),
                  where));
        });
    lines.add(fairLine());
    return lines;
  }

  /** FQ-CoDel gives each flow its part whatever the others do: reported, not judged. */
  private String fairLine() {
    JudgedCell least = null;
    for (JudgedCell judged : worstFirst) {
      boolean fair = judged.cell().link().trouble().queue() == DuelTrouble.Queue.FQ_CODEL;
      boolean less = least == null || keeps(judged) < keeps(least);
      if (fair && judged.cell().setup().rival().isTcp() && less) {
        least = judged;
      }
    }
    return least == null
        ? "| TCP keeps behind FQ-CoDel | not judged | - | - |"
        : String.format(
            Locale.ROOT,
            "| TCP keeps behind FQ-CoDel | not judged | %.3f | %s |",
            keeps(least),
            least.cell().place());
  }

  private static double keeps(JudgedCell judged) {
    return judged.figures().tcp().keeps();
  }

  /** Rates and round trips by buffers. */
  private List<String> heatLines() {
    Map<String, List<JudgedCell>> seeds = JudgedCell.bySeeds(worstFirst);
    List<String> columns = DuelGrid.plainColumns();
    List<String> lines = new ArrayList<>();
    lines.add("| | " + String.join(" | ", columns) + " |");
    lines.add("|---" + "|---".repeat(columns.size()) + "|");
    DuelGrid.plainCells(controller)
        .forEach(
            (row, cells) -> {
              List<String> words = new ArrayList<>();
              for (DuelCell cell : cells) {
                words.add(square(seeds.getOrDefault(cell.id(), List.of())));
              }
              lines.add("| " + row + " | " + String.join(" | ", words) + " |");
            });
    return lines;
  }

  private static String square(List<JudgedCell> seeds) {
    double least = Double.POSITIVE_INFINITY;
    boolean holds = true;
    for (JudgedCell judged : seeds) {
      least = Math.min(least, judged.figures().tcp().keeps());
      holds &= judged.holds();
    }
    return DuelTable.decimals(100 * least, 0) + (holds ? "" : "!");
  }

  /** Every cell that misses a limit, the worst first, its seeds together. */
  private List<String> missedLines() {
    List<String> lines = new ArrayList<>();
    JudgedCell.bySeeds(worstFirst)
        .values()
        .forEach(
            seeds -> {
              long missed = seeds.stream().filter(judged -> !judged.holds()).count();
              if (missed > 0) {
                JudgedCell worst = seeds.get(0);
                String count = seeds.size() > 1 ? " (" + missed + " of " + seeds.size() + ")" : "";
                addWrapped(lines, "- `" + worst.cell().place() + "`: " + worst.missed() + count);
              }
            });
    if (lines.isEmpty()) {
      lines.add("Nothing.");
    }
    return lines;
  }

  /** In lines of the page's width, broken behind commas. */
  private static void addWrapped(List<String> lines, String text) {
    String rest = text;
    while (rest.length() > PAGE_COLUMNS) {
      int comma = rest.lastIndexOf(", ", PAGE_COLUMNS - 1);
      if (comma < 0) {
        break;
      }
      lines.add(rest.substring(0, comma + 1));
      rest = "  " + rest.substring(comma + 2);
    }
    lines.add(rest);
  }
}
