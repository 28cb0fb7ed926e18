package ebb.selfbench.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which cells the grid has, how they are named, judged and shown; and the slow ones simulated. */
class DuelGridTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "duels.md");
  private static final List<DuelCell> CELLS = DuelGrid.cells("scavenger");

  private static DuelFigures tcp(double keeps, double alone, double share, double backSeconds) {
    return tcp(keeps, 1, alone, share, backSeconds);
  }

  private static DuelFigures tcp(
      double keeps, double fromStart, double alone, double share, double backSeconds) {
    return new DuelFigures(
        1,
        5_000,
        9_000,
        share,
        0.5,
        backSeconds * 1e6,
        new DuelFigures.Tcp(1 - keeps, alone, 1 - fromStart),
        new DuelFigures.Waste(0, 0.1));
  }

  private static DuelFigures alone(double used, double queueMicros, double resent) {
    return new DuelFigures(
        used,
        queueMicros,
        queueMicros,
        used,
        1,
        Double.NaN,
        DuelFigures.Tcp.NONE,
        new DuelFigures.Waste(resent, 1));
  }

  private static List<String> missed(String cell, DuelFigures figures) {
    return DuelLimits.judge(DuelCell.named(cell), figures).stream()
        .filter(verdict -> !verdict.holds())
        .map(DuelLimits.Verdict::text)
        .toList();
  }

  /** Each took 3.8 to 8.2 s while a ceiling and a rate from beside the rival held it back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "reno-second/3M 20/20/scavenger",
        "reno-second/3M 43/21.5/scavenger",
        "cubic-first/10M 43/30 pie/scavenger",
        "bbr-first/10M 20/30/scavenger"
      })
  void aRivalThatMadeALongQueueLeavesTheLinkAtOnce(String name) {
    DuelCell cell = DuelCell.named(name);
    DuelFigures figures = new DuelRunner().run(cell);
    assertThat(DuelLimits.judge(cell, figures))
        .as(figures.toString())
        .anySatisfy(
            verdict -> {
              assertThat(verdict.limit()).isEqualTo("back s");
              assertThat(verdict.holds()).isTrue();
            });
  }

  @Test
  void everyCellHasANameOfItsOwnThatFindsIt() {
    Set<String> names = new HashSet<>();
    for (DuelCell cell : CELLS) {
      assertThat(names.add(cell.id())).as(cell.id()).isTrue();
      assertThat(DuelCell.named(cell.id())).isEqualTo(cell);
    }
    for (DuelCell cell : DuelPlan.cells()) {
      assertThat(DuelCell.named(cell.id())).isEqualTo(cell);
    }
    for (String wrong :
        List.of(
            "",
            "cubic-first/17M 43/30",
            "cubic-first/17M 43/30/vegas",
            "cubic-first/0M 43/30/scavenger",
            "cubic-first/17M 43/30 blue/scavenger",
            "cubic-first/17M 43/60kB policer codel/scavenger",
            "cubic-first/17M 43/1kB policer/scavenger",
            "cubic-third/17M 43/30/scavenger",
            "cubic-first/17M 43/30/scavenger#0",
            "cubic-first/17M 43/30/scavenger#1#2")) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> DuelCell.named(wrong))
          .withMessage("no cell can be named so: " + wrong);
    }
  }

  @Test
  void theGridHasWhatItSays() {
    // Every rate with every round trip and every buffer; a tenth of them are the same link twice.
    Set<String> links =
        CELLS.stream()
            .filter(cell -> cell.setup().rival().isTcp())
            .filter(cell -> cell.link().trouble().equals(DuelTrouble.NONE))
            .filter(cell -> cell.link().loss() == 0)
            .map(cell -> cell.link().label())
            .collect(Collectors.toSet());
    assertThat(links.size()).isBetween(250, 310);
    for (DuelSetup setup :
        List.of(
            DuelSetup.RENO_FIRST,
            DuelSetup.RENO_SECOND,
            DuelSetup.CUBIC_FIRST,
            DuelSetup.CUBIC_SECOND,
            DuelSetup.BBR_FIRST,
            DuelSetup.BBR_SECOND)) {
      for (DuelTrouble.Queue queue : DuelTrouble.Queue.values()) {
        assertThat(CELLS)
            .as("%s %s", setup, queue)
            .anyMatch(c -> c.setup() == setup && c.link().trouble().queue() == queue);
      }
      assertThat(CELLS).anyMatch(c -> c.setup() == setup && c.link().isPoliced());
    }
    assertThat(CELLS.stream().map(c -> c.link().trouble().change()).distinct())
        .containsExactlyInAnyOrder(DuelTrouble.Change.values());
    // With the tables, on two processors.
    assertThat(DuelRunner.estimatedMinutes(DuelPage.cells(), 2)).isLessThan(20);
  }

  @Test
  void limitsDependOnTheLink() {
    assertThat(missed("cubic-first/17M 43/30/scavenger", tcp(0.9, 0.95, 0.1, 2))).isEmpty();
    assertThat(missed("cubic-first/17M 43/43/scavenger", tcp(0.96, 0.95, 0.06, 2.1)))
        .containsExactlyInAnyOrder(
            "back s 2.1 > 2.0", "share 0.060 > 0.050", "keeps 0.960 < 0.970");
    assertThat(missed("cubic-first/17M 43/43/scavenger", tcp(0.97, 0.96, 0.95, 0.01, 1)))
        .containsExactly("from start 0.960 < 0.970");
    assertThat(missed("cubic-first/17M 43/300 codel/scavenger", tcp(0.91, 0.95, 0.09, 1)))
        .isEmpty();
    assertThat(missed("cubic-first/17M 43/300 fq-codel/scavenger", tcp(0.5, 0.9, 0.5, 1)))
        .isEmpty();
    assertThat(missed("cubic-first/1M 43/300/scavenger", tcp(0.5, 0.9, 0.5, 1))).isEmpty();
    // What the rival leaves may be taken.
    assertThat(missed("cubic-first/17M 43/5/scavenger", tcp(0.95, 0.8, 0.2, 1))).isEmpty();
    assertThat(missed("cubic-first/17M 250/30/scavenger", tcp(0.95, 0.8, 0.2, 2.5))).isEmpty();
    assertThat(missed("cubic-first/17M 43/30/scavenger", tcp(1, 1, 0, Double.POSITIVE_INFINITY)))
        .containsExactly("back s never > 2.0");
    assertThat(missed("alone/17M 43/30/scavenger", alone(0.94, 11_000, 0.04)))
        .containsExactlyInAnyOrder(
            "used 0.940 < 0.950", "queue ms 11.0 > 10.0", "resent 0.040 > 0.030");
    assertThat(missed("alone/17M 43/60kB policer/scavenger", alone(0.86, 0, 0))).isEmpty();
    assertThat(missed("alone/17M 43/30 jitter20/scavenger", alone(0.81, 0, 0))).isEmpty();
    assertThat(missed("alone/17M 43/30 1%/scavenger", alone(0.89, 0, 0.5)))
        .containsExactly("used 0.890 < 0.900");
    assertThat(missed("alone/17M 43/30 2%/scavenger", alone(0.1, 0, 0.5))).isEmpty();
    assertThat(missed("alone/17M 43/30 rates2s/scavenger", alone(0.84, 90_000, 0)))
        .containsExactly("used 0.840 < 0.850");
    assertThat(missed("pair/17M 43/30/scavenger", tcp(1, 1, 0, 0)))
        .containsExactly("Jain 0.500 < 0.900", "smaller 0.050 < 0.300");
  }

  @Test
  void aCellThatMissesIsListedAndNotAveragedAway() {
    Map<DuelCell, DuelFigures> results = new HashMap<>();
    for (DuelCell cell : CELLS) {
      boolean alone = cell.setup().rival() == DuelSetup.Rival.NONE;
      results.put(
          cell,
          alone
              ? alone(0.99, 1_000, 0)
              : new DuelFigures(
                  1,
                  1_000,
                  1_000,
                  0.01,
                  0.99,
                  1e6,
                  new DuelFigures.Tcp(0.01, 1, 0.02),
                  new DuelFigures.Waste(0, 0.9)));
    }
    assertThat(new DuelGridSection("scavenger", results).lines()).endsWith("Nothing.");
    DuelCell second = DuelCell.named("cubic-first/17M 43/30 codel/scavenger#2");
    results.put(second, tcp(0.3, 0.95, 0.01, 1));
    List<String> lines = new DuelGridSection("scavenger", results).lines();
    assertThat(lines)
        .endsWith("- `cubic-first/17M 43/30 codel#2`: keeps 0.300 < 0.900 (1 of 3)")
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("| TCP keeps 0.90")
                    .endsWith("| 0.300 | cubic-first/17M 43/30 codel#2 |"));
    String page = new DuelMaps(JudgedCell.worstFirst(CELLS, results)).page().toHtml();
    assertThat(page)
        .contains("1 of " + CELLS.size(), "<figure class=\"chart\"", "keeps 0.300", second.id());
  }

  @Test
  void someOfTheSlowOnesAreJudgedAsThePageSays() throws Exception {
    List<DuelCell> quick = DuelGrid.quick("scavenger");
    assertJudgedAsThePageSays(
        IntStream.range(0, quick.size()).filter(i -> i % 6 == 0).mapToObj(quick::get).toList());
  }

  @Test
  @Tag("long")
  void theSlowOnesAreJudgedAsThePageSays() throws Exception {
    List<DuelCell> quick = DuelGrid.quick("scavenger");
    assertThat(quick).hasSizeGreaterThan(20);
    assertJudgedAsThePageSays(quick);
  }

  private static void assertJudgedAsThePageSays(List<DuelCell> quick) throws Exception {
    Map<DuelCell, DuelFigures> results = new DuelRunner().runAll(quick, 2, cell -> {});
    for (DuelCell cell : quick) {
      DuelFigures figures = results.get(cell);
      assertThat(figures.utilisation()).as(cell.id()).isBetween(0.05, 1.02);
      assertThat(figures.waste().resent()).as(cell.id()).isBetween(0.0, 0.6);
      if (cell.setup().rival().isTcp()) {
        assertThat(figures.tcp().alone()).as(cell.id()).isBetween(0.05, 1.02);
        assertThat(figures.tcp().keeps()).as(cell.id()).isBetween(0.0, 2.0);
      }
    }
    List<String> page = Files.readAllLines(PAGE);
    int begin = page.indexOf("### " + DuelGridSection.MISSED);
    assumeTrue(begin >= 0, "docs/duels.md was written before there was a grid");
    String listed = String.join("\n", page.subList(begin, page.size()));
    for (JudgedCell judged : JudgedCell.worstFirst(quick, results)) {
      // The list has a cell by its worst seed.
      String place = judged.cell().withSeed(1).place();
      if (!judged.holds()) {
        assertThat(listed).as("%s: %s", place, judged.missed()).contains("`" + place);
      }
    }
  }
}
