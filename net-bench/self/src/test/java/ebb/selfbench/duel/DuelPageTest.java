package ebb.selfbench.duel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How figures become a page, and cells figures. */
class DuelPageTest {
  private static Map<DuelCell, DuelFigures> invented(DuelFigures figures) {
    Map<DuelCell, DuelFigures> results = new HashMap<>();
    DuelPage.cells().forEach(cell -> results.put(cell, figures));
    return results;
  }

  private static DuelFigures figures(
      double utilisation,
      double medianQueueMicros,
      double highQueueMicros,
      double share,
      double tcpLoss,
      double jain,
      double recoveryMicros) {
    return new DuelFigures(
        utilisation,
        medianQueueMicros,
        highQueueMicros,
        share,
        jain,
        recoveryMicros,
        new DuelFigures.Tcp(tcpLoss, 1, tcpLoss),
        new DuelFigures.Waste(0, 1));
  }

  private static final DuelFigures USUAL =
      figures(0.98, 10_000, 20_000, 0.04, 0.06, 0.97, 1_500_000);

  @Test
  void theBestWorstCaseHasTheStarAndEqualOnesShareIt() {
    Map<DuelCell, DuelFigures> results = invented(USUAL);
    results.replaceAll(
        (cell, figures) ->
            cell.controller().equals("ledbat")
                    && cell.setup() == DuelSetup.ALONE
                    && cell.link().rttMicros() == 200_000
                ? figures(0.5, 90_000, 95_000, 0.5, Double.NaN, 1, Double.NaN)
                : figures);
    List<String> lines = new DuelSummary(results).criteriaLines();
    assertThat(lines)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("| utilisation alone")
                    .contains("0.98/0.50  ")
                    .contains("0.98/0.98 *"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("| Jain, a newcomer")
                    .matches("\\|[^|]*(\\| 0.97/0.97 \\* *){5}\\|"));
  }

  @Test
  void limitsCountTheCasesThatKeepThem() {
    Map<DuelCell, DuelFigures> results = invented(USUAL);
    results.replaceAll(
        (cell, figures) ->
            cell.equals(new DuelCell("dtl", DuelSetup.CUBIC_FIRST, DuelLink.of(50, 50, 300)))
                ? figures(1, 0, 0, 0.07, 0.1, 0.9, Double.POSITIVE_INFINITY)
                : figures);
    // Reno and CUBIC, either order: four buffers at each rate, and four paths of other lengths.
    int cases = 2 * 2 * (2 * 4 + 4);
    List<String> lines = new DuelSummary(results).limitLines();
    assertThat(lines)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("| beside TCP: at most 5%")
                    .contains((cases - 1) + "/" + cases + " 7.0")
                    .contains("all 4.0"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("| recovery: 2 s")
                    .contains((cases - 1) + "/" + cases + " >15")
                    .contains("all 1.5"));
  }

  @Test
  void noLineIsLongerThanOneHundredColumns() {
    DuelFigures wide = figures(0.999, 9_940, 9_940, 0.0994, -0.0994, 0.999, 9_940_000);
    DuelFigures wider =
        figures(1.0, 299_900, 300_000, 1.0, -0.0994, 0.999, Double.POSITIVE_INFINITY);
    for (DuelFigures figures : List.of(USUAL, wide, wider)) {
      assertThat(DuelPage.render(invented(figures)).lines())
          .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(100));
    }
  }

  @Test
  void neitherThreadsNorOrderChangeAFigure() throws Exception {
    List<DuelCell> cells =
        DuelPage.cells().stream()
            .filter(cell -> cell.link().rateBitsPerSecond() == 2_000_000)
            .filter(cell -> cell.setup() == DuelSetup.RENO_FIRST)
            .toList();
    List<DuelCell> seen = new ArrayList<>();
    Map<DuelCell, DuelFigures> parallel = new DuelRunner().runAll(cells, 3, seen::add);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(cells);
    List<DuelCell> reversed = new ArrayList<>(cells);
    Collections.reverse(reversed);
    for (DuelCell cell : reversed) {
      assertThat(new DuelRunner().run(cell)).isEqualTo(parallel.get(cell));
    }
  }
}
