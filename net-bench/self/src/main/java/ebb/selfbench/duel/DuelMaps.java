package ebb.selfbench.duel;

import ebb.core.report.HeatMap;
import ebb.core.report.HtmlReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Judged cells as a page with heat maps: the colour says by how much a limit is missed. */
final class DuelMaps {
  private static final int WORST_SHOWN = 60;

  private final List<JudgedCell> worstFirst;

  DuelMaps(List<JudgedCell> worstFirst) {
    this.worstFirst = worstFirst;
  }

  HtmlReport page() {
    long missed = worstFirst.stream().filter(judged -> !judged.holds()).count();
    HtmlReport page =
        new HtmlReport("Ebb: duels on links of every sort")
            .lead(
                missed
                    + " of "
                    + worstFirst.size()
                    + " cells miss a limit. A square is the worst of its cells: what is missed, or"
                    + " what is kept by least; the stronger its colour, the farther it is missed.");
    Predicate<JudgedCell> plain =
        judged ->
            judged.cell().link().trouble().equals(DuelTrouble.NONE)
                && judged.cell().link().loss() == 0;
    Predicate<JudgedCell> tcp = judged -> judged.cell().setup().rival().isTcp();
    Predicate<JudgedCell> alone = judged -> judged.cell().setup().rival() == DuelSetup.Rival.NONE;
    map(page, "Beside TCP, drop-tail", tcp.and(plain), DuelMaps::path, DuelMaps::buffer);
    map(page, "Beside TCP, by what the link does", tcp, DuelMaps::trouble, DuelMaps::setup);
    map(page, "Alone", alone, DuelMaps::trouble, DuelMaps::buffer);
    map(
        page,
        "Of a kind",
        judged -> judged.cell().setup().isAmongItself(),
        DuelMaps::path,
        DuelMaps::setup);
    page.heading("The worst cells");
    List<List<String>> rows = new ArrayList<>();
    for (JudgedCell judged : worstFirst.stream().limit(WORST_SHOWN).toList()) {
      if (!judged.holds()) {
        rows.add(List.of(judged.cell().id(), judged.missed()));
      }
    }
    return rows.isEmpty()
        ? page.paragraph("No cell misses a limit.")
        : page.table(List.of("cell", "what it misses"), rows);
  }

  private void map(
      HtmlReport page,
      String title,
      Predicate<JudgedCell> cells,
      Function<JudgedCell, String> row,
      Function<JudgedCell, String> column) {
    Map<String, JudgedCell> squares = new LinkedHashMap<>();
    Set<String> rowSet = new LinkedHashSet<>();
    Set<String> columnSet = new LinkedHashSet<>();
    for (JudgedCell judged : worstFirst) {
      if (cells.test(judged) && !judged.verdicts().isEmpty()) {
        rowSet.add(row.apply(judged));
        columnSet.add(column.apply(judged));
        squares.putIfAbsent(row.apply(judged) + "\n" + column.apply(judged), judged);
      }
    }
    if (squares.isEmpty()) {
      return;
    }
    List<String> rows = rowSet.stream().sorted(DuelMaps::byNumbers).toList();
    List<String> columns = columnSet.stream().sorted(DuelMaps::byNumbers).toList();
    HeatMap map =
        new HeatMap(
            title + ": the limit that is missed most, or kept by least",
            "",
            rows,
            columns,
            HeatMap.Worse.HIGHER);
    squares.forEach(
        (place, judged) -> {
          String[] parts = place.split("\n", -1);
          map.cell(
              rows.indexOf(parts[0]),
              columns.indexOf(parts[1]),
              Math.max(0, -judged.margin()),
              judged.verdicts().get(0).shortText());
        });
    page.heading(title).chart(map);
  }

  /** Texts by the numbers that they begin with, then as texts. */
  private static int byNumbers(String one, String other) {
    int byNumber = Double.compare(number(one), number(other));
    return byNumber != 0 ? byNumber : one.compareTo(other);
  }

  private static double number(String text) {
    String digits = text.replaceFirst("^(\\d+(\\.\\d+)?).*", "$1");
    double first = digits.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(digits) : -1;
    String rest = text.replaceFirst("^\\d+M (\\d+) ms$", "$1");
    return rest.equals(text) ? first : first + Double.parseDouble(rest) / 10_000;
  }

  private static String path(JudgedCell judged) {
    DuelLink link = judged.cell().link();
    return link.rateBitsPerSecond() / 1_000_000 + "M " + link.rttMicros() / 1_000 + " ms";
  }

  private static String buffer(JudgedCell judged) {
    DuelLink link = judged.cell().link();
    if (link.isPoliced()) {
      return "bucket";
    }
    for (int limit : new int[] {1, 5, 10, 25, 50, 100, 300}) {
      if (link.bufferMicros() <= limit * 1_000L) {
        return limit + " ms";
      }
    }
    return "750 ms";
  }

  private static String trouble(JudgedCell judged) {
    DuelLink link = judged.cell().link();
    String label = link.label();
    String rest = label.replaceFirst("^\\d+M [\\d.]+/[\\d.]+", "").strip();
    return rest.isEmpty() ? "drop-tail" : link.isPoliced() ? "policer" : rest;
  }

  private static String setup(JudgedCell judged) {
    return judged.cell().setup().label();
  }
}
