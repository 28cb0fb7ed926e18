package ebb.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table that the run writes: what it keeps, and that it is readable. */
class InteropReportTest {
  private static InteropRow row(String peer, int order, String condition, String verdict) {
    return new InteropRow(
        peer,
        "v0.10.20",
        order,
        "peer sends, peer opens",
        condition,
        "peer",
        67_108_864,
        123.4,
        "10000 + 10000",
        verdict);
  }

  private static InteropRow.Found found(Map<String, String> skipped, InteropRow... rows) {
    return new InteropRow.Found(List.of(rows), skipped);
  }

  @Test
  void rowsComeInTheirOrderWhateverTheOrderOfTheFile() {
    InteropRow first = row("p", 0, "clean", "pass");
    InteropRow second = row("p", 1, "1% loss", "FAIL: nothing came");
    String text = InteropReport.render(found(Map.of(), first, second), "", "a machine");

    assertThat(InteropReport.render(found(Map.of(), second, first), "", "a machine"))
        .isEqualTo(text);
    assertThat(text.indexOf("| clean |")).isPositive().isLessThan(text.indexOf("| 1% loss |"));
    assertThat(text)
        .contains("## p\n")
        .contains("Version v0.10.20. 1 of 2 rows pass. a machine.")
        .contains("| 67 | 123 | 10000 + 10000 | FAIL (1) |")
        .contains("\n(1) FAIL: nothing came\n");
  }

  @Test
  void anAbsentPeerKeepsItsRowsUnderALineThatSaysWhy() {
    String before = InteropReport.render(found(Map.of(), row("p", 0, "clean", "pass")), "", "old");
    Map<String, String> absent = Map.of("p", "there is no go", "q", "there is no npm");
    InteropRow other = row("r", 0, "clean", "pass");

    String text = InteropReport.render(found(absent, other), before, "new");

    assertThat(text)
        .contains("skipped: p in the last run, because there is no go\n")
        .contains("skipped: q in the last run, because there is no npm\n")
        .contains("rows pass. old.")
        .contains("rows pass. new.");
    assertThat(InteropReport.render(found(absent, other), text, "new")).isEqualTo(text);
    String back = InteropReport.render(found(Map.of(), row("p", 0, "clean", "pass")), text, "new");
    assertThat(back).doesNotContain("skipped: p").contains("skipped: q");
  }

  @Test
  void noLineIsLongerThanAHundredColumns() {
    String what = "defect: " + "it does something that needs many words ".repeat(10).strip();
    String text =
        InteropReport.render(
            found(Map.of("q", what), row("p", 0, "5% loss", what)), "", "a machine ".repeat(20));

    assertThat(text.lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void rowsSurviveTheirFile(@TempDir Path directory) throws Exception {
    InteropRow row = row("p", 3, "RTT 100 ms", "pass");
    row.appendTo(directory.resolve("a.jsonl"));
    InteropRow.appendSkipped(directory.resolve("b.jsonl"), "q", "no \"go\"");
    Files.writeString(directory.resolve("notes.txt"), "not a row");

    assertThat(InteropRow.read(directory))
        .isEqualTo(new InteropRow.Found(List.of(row), Map.of("q", "no \"go\"")));
  }
}
