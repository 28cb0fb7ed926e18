package ebb.selfbench.duel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One cell with its figures and the verdicts on them, those that miss most first.
 *
 * @param verdicts empty when nothing is asked of the cell
 */
record JudgedCell(DuelCell cell, DuelFigures figures, List<DuelLimits.Verdict> verdicts) {

  /** By how much it keeps what is asked of it, negative when it does not. */
  double margin() {
    return verdicts.isEmpty() ? Double.POSITIVE_INFINITY : verdicts.get(0).margin();
  }

  boolean holds() {
    return margin() >= 0;
  }

  /** The limits that it misses, in words. */
  String missed() {
    List<String> missed =
        verdicts.stream().filter(v -> !v.holds()).map(DuelLimits.Verdict::text).toList();
    return String.join(", ", missed);
  }

  /** All that were simulated, those that miss most first. */
  static List<JudgedCell> worstFirst(List<DuelCell> cells, Map<DuelCell, DuelFigures> results) {
    List<JudgedCell> judged = new ArrayList<>();
    for (DuelCell cell : cells) {
      DuelFigures figures = results.get(cell);
      if (figures == null) {
        throw new IllegalStateException("not simulated: " + cell.id());
      }
      judged.add(new JudgedCell(cell, figures, DuelLimits.judge(cell, figures)));
    }
    judged.sort(Comparator.comparingDouble(JudgedCell::margin));
    return judged;
  }

  /** The seeds of each cell together, in the order of their worst. */
  static Map<String, List<JudgedCell>> bySeeds(List<JudgedCell> worstFirst) {
    Map<String, List<JudgedCell>> seeds = new LinkedHashMap<>();
    for (JudgedCell judged : worstFirst) {
      seeds
          .computeIfAbsent(judged.cell().withSeed(1).id(), unused -> new ArrayList<>())
          .add(judged);
    }
    return seeds;
  }

  /** The verdict by one limit, if that is asked of the cell. */
  Optional<DuelLimits.Verdict> by(String limit) {
    return verdicts.stream().filter(verdict -> verdict.limit().equals(limit)).findFirst();
  }
}
