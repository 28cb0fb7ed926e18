package ebb.selfbench.duel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/duels.md is what the controllers of this tree do. */
class DuelFileTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "duels.md");
  private static final String AGAIN = "the same again: ./ebb sim duels --write docs/duels.md";

  private static List<String> page() throws IOException {
    return Files.readAllLines(PAGE);
  }

  /** The lines below a table's title, up to the next one. */
  private static List<String> section(String title) throws IOException {
    List<String> page = page();
    int begin = page.indexOf("## " + title);
    assertThat(begin).as(title).isNotNegative();
    List<String> below = page.subList(begin + 1, page.size());
    int end = (int) below.stream().takeWhile(line -> !line.startsWith("## ")).count();
    return below.subList(0, end);
  }

  /** A row of three tables, of those that take least. */
  @Test
  void rowsOfASlowLinkAreWhatTheControllersDoNow() throws Exception {
    Set<DuelSetup> setups = Set.of(DuelSetup.ALONE, DuelSetup.CUBIC_FIRST, DuelSetup.NEWCOMER);
    assertRows(3, row -> isSlowest(row) && setups.contains(row.setup()));
  }

  @Test
  @Tag("long")
  void quickRowsAreWhatTheControllersDoNow() throws Exception {
    assertRows(11, DuelFileTest::isQuick);
  }

  private static void assertRows(int least, Predicate<DuelTable.Row> chosen) throws Exception {
    DuelRunner runner = new DuelRunner();
    int rows = 0;
    for (DuelTable table : DuelPlan.tables()) {
      List<String> written = section(table.title());
      for (DuelTable.Row row : table.rows()) {
        if (chosen.test(row)) {
          Map<DuelCell, DuelFigures> results = new HashMap<>();
          for (String controller : table.controllers()) {
            results.put(row.cell(controller), runner.run(row.cell(controller)));
          }
          assertThat(written).as(AGAIN).contains(table.line(row, results));
          rows++;
        }
      }
    }
    assertThat(rows).isGreaterThanOrEqualTo(least);
  }

  private static boolean isSlowest(DuelTable.Row row) {
    return row.link().rateBitsPerSecond() == 2_000_000;
  }

  /** Those at 2 Mbit/s, and some at 10. */
  private static boolean isQuick(DuelTable.Row row) {
    long rate = row.link().rateBitsPerSecond();
    return isSlowest(row)
        || (rate == 10_000_000 && row.setup() == DuelSetup.NEWCOMER)
        || (rate == 10_000_000 && row.setup() == DuelSetup.ALONE);
  }

  @Test
  void everyRowOfThePlanStandsInThePageAndNoOther() throws Exception {
    List<String> expected = new ArrayList<>();
    List<String> written = new ArrayList<>();
    for (DuelTable table : DuelPlan.tables()) {
      table.rows().forEach(row -> expected.add(table.title() + ": " + row.label()));
      section(table.title()).stream()
          .filter(line -> line.startsWith("| "))
          .skip(1)
          .forEach(line -> written.add(table.title() + ": " + line.substring(2).split(" +\\|")[0]));
    }
    assertThat(written).isEqualTo(expected);
  }

  @Test
  void theSummaryIsThatOfItsTables() throws Exception {
    // What the tables show is rounded; a criterion whose figures have the same decimals in both
    // must agree with the worst case of its column.
    double worst = 0;
    for (String title : List.of(DuelPlan.RENO, DuelPlan.CUBIC)) {
      for (String line : section(title)) {
        if (line.matches("\\| \\d.*")) {
          worst = Math.max(worst, Double.parseDouble(line.split("\\|")[2].strip().split(" ")[0]));
        }
      }
    }
    String shown =
        section("Summary").stream()
            .filter(line -> line.startsWith("| share beside TCP"))
            .findFirst()
            .orElseThrow();
    String cell = shown.split("\\|")[2].strip().replace(" *", "");
    assertThat(Double.parseDouble(cell.split("/")[1])).isEqualTo(worst);
  }

  @Test
  @Tag("duels")
  void theWholePageIsWhatTheControllersDoNow() throws Exception {
    int threads = Runtime.getRuntime().availableProcessors();
    Map<DuelCell, DuelFigures> results =
        new DuelRunner().runAll(DuelPage.cells(), threads, cell -> {});
    assertThat(DuelPage.render(results).lines().toList()).as(AGAIN).isEqualTo(page());
  }
}
