package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** docs/duels.md: the whole table as Markdown. The same figures give the same bytes. */
public final class DuelPage {
  private static final String INTRODUCTION =
      """
      # Duels

      Every controller alone, beside TCP, beside its own kind and beside libutp, simulated. One
      command writes this page and gives the same bytes on every run and machine:

          ./ebb sim duels --write docs/duels.md      # all cells on all cores; --check compares instead
          ./ebb sim duels --only 'cubic.*/scavenger' # some cells, with all their figures

      The protocol engine is the real one. The links, Reno, CUBIC and `libutp-like` (what libutp's
      window does, on Ebb's connection) are models ([testkit.md](testkit.md)); a kernel's CUBIC
      differs, and what was measured on real links is said below. One run per cell, seed 1, unless
      said. `./ebb sim duels --cell 'cubic-first/17M 43/30 codel/scavenger'` simulates any cell that
      can be named.
      """;

  private static final String SUMMARY =
      """
      Over all rows of the tables below; median, then worst case; `*` marks the best worst case.
      Loss-free links, but where loss is the question; shares and losses beside TCP with the 0.1%
      row.
      """;

  private static final String LIMITS =
      """
      What a background transfer is to keep, at 10 and 50 Mbit/s, every round trip and buffer in
      the tables (the last two rows at 10 Mbit/s): in how many cases it does, and the worst of
      them. The limits are those of `scavenger`; nothing obliges the others to keep them.
      """;

  private static final String DEFINITIONS =
      """
      ## What the figures are

      A link is named by its rate, then base round trip / drop-tail buffer in ms, then random
      loss: `10M 50/150 0.1%`. Buffers are what the rate serves in that time. Of all combinations
      of 2, 10, 50 and 500 Mbit/s, 10, 50 and 200 ms, 25 to 300 ms of buffer and up to 1% loss
      this is a subset: around `10M 50/150` and `50M 50/150` one thing varies at a time; beside
      TCP every buffer is there in either order. 500 Mbit/s is there alone only: a second of it
      costs as much as ten at 50 Mbit/s or a hundred at 10.

      - *utilisation*: bytes that the link carried, of what it could have.
      - *queue*: what packets waited at the bottleneck: half of them less, 95% less. Not what a
        controller believes.
      - *share*: bytes of the controller's flow, of what the link could have carried while both
        were there. It counts from 10 s after the second flow came.
      - *TCP's loss*: how much less the TCP flow carried than without the controller's flow, in
        the same interval of the same link. *From start*: the same, but from the first packet of
        whoever came second, its ramp included.
      - *recovery*: from TCP's last new byte until the controller's flow carries 90% of the link
        over a window of 0.5 s, counted to the window's start. TCP's packets in the buffer still
        have to leave, which takes up to the buffer's time. `>15`: not within 15 s.
      - *Jain's index*: 1 when all flows carry the same, 1/n when one carries everything.

      IP packets of 1,500 bytes, an acknowledgement for each burst that arrives, slow start and
      everything else as by default, `dtl` with weight 0. Senders jitter by one packet's time, for
      without it a full buffer's drops lock into one flow's phase.
      """;

  private static final String REAL =
      """
      Measured on such a link with a kernel's CUBIC, not simulated: libutp 4 to 7.5%, 17 to 19%,
      2.6 to 3.3 s, and alone a queue of 42 ms; picoquic's "fast" 0.6%, 6%, 0.8 s, 9 ms
      ([real-link.md](real-link.md) has Ebb's own). So the model of libutp takes more than libutp
      did there, and the model of CUBIC loses less than a kernel's, which leaves slow start early
      (HyStart) and is slower to come back.
      """;

  /** Who is to harm nobody. */
  static final String JUDGED = "scavenger";

  private DuelPage() {}

  /** Every cell that {@link #render} needs, in the order of the page. */
  public static Set<DuelCell> cells() {
    Set<DuelCell> cells = new LinkedHashSet<>(DuelPlan.cells());
    cells.addAll(DuelGrid.cells(JUDGED));
    return cells;
  }

  /** The page, with a line feed behind every line. */
  public static String render(Map<DuelCell, DuelFigures> results) {
    DuelSummary summary = new DuelSummary(results);
    List<String> lines = new ArrayList<>(List.of(INTRODUCTION.strip().split("\n", -1)));
    lines.add("");
    lines.add("## Summary");
    lines.add("");
    lines.addAll(List.of(SUMMARY.strip().split("\n", -1)));
    lines.add("");
    lines.addAll(summary.criteriaLines());
    lines.add("");
    lines.addAll(List.of(LIMITS.strip().split("\n", -1)));
    lines.add("");
    lines.addAll(summary.limitLines());
    lines.add("");
    lines.addAll(new DuelGridSection(JUDGED, results).lines());
    lines.add("");
    lines.addAll(List.of(DEFINITIONS.strip().split("\n", -1)));
    for (DuelTable table : DuelPlan.tables()) {
      lines.add("");
      lines.add("## " + table.title());
      lines.add("");
      lines.addAll(List.of(table.notes().split("\n", -1)));
      lines.add("");
      lines.addAll(List.of(table.header().split("\n", -1)));
      for (DuelTable.Row row : table.rows()) {
        lines.add(table.line(row, results));
      }
      if (table.title().equals(DuelPlan.REAL)) {
        lines.add("");
        lines.addAll(List.of(REAL.strip().split("\n", -1)));
      }
    }
    return String.join("\n", lines) + "\n";
  }
}
