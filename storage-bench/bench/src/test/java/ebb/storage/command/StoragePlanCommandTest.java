package ebb.storage.command;

import static org.assertj.core.api.Assertions.assertThat;

import ebb.core.result.ResultRecord;
import ebb.storage.command.StorageRunCommandTest.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoragePlanCommandTest {
  private static final String PLAN =
      """
      name = "small"
      repetitions = %d
      cases = ["upload", "read_iops_test"]
      size = "64K"
      time = "10ms"
      [[region]]
      name = "here"
      target = "mem:"
      [[region]]
      name = "there"
      target = "mem:"
      [[period]]
      name = "now"
      """;

  @TempDir Path scratch;
  private Path plan;
  private Path out;

  @BeforeEach
  void names() {
    plan = scratch.resolve("plan.toml");
    out = scratch.resolve("results.jsonl");
  }

  private Ran plan(String text) throws Exception {
    Files.writeString(plan, text);
    return StorageRunCommandTest.ebb("storage", "plan", plan.toString(), "--out", out.toString());
  }

  @Test
  void everyRegionAndRepetitionIsRunOnceAndWhatIsDoneStaysDone() throws Exception {
    Ran ran = plan(PLAN.formatted(2));
    assertThat(ran.code()).as(ran.err()).isZero();
    List<ResultRecord> records = ResultFile.read(out).records();
    assertThat(records)
        .extracting(one -> one.facts().get("region") + one.facts().get("plan_repetition"))
        .containsExactly("here1", "there1", "here2", "there2");
    ran = plan(PLAN.formatted(2));
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("4 of 4 runs are done");
    assertThat(ResultFile.read(out).records()).hasSize(4);
  }

  @Test
  void anInterruptedPlanGoesOnWithTheRest() throws Exception {
    assertThat(plan(PLAN.formatted(2)).code()).isZero();
    List<String> lines = Files.readAllLines(out);
    // The third was cut off in the middle of its line.
    String cut = lines.get(2).substring(0, 100);
    Files.writeString(out, lines.get(0) + "\n" + lines.get(1) + "\n" + cut);
    assertThat(plan(PLAN.formatted(2)).code()).isZero();
    assertThat(ResultFile.read(out).records()).hasSize(4);
    assertThat(ResultFile.read(out).spoilt()).isEqualTo(1);
  }

  @Test
  void otherTimesOfTheDayWait() throws Exception {
    // Begins in two hours and lasts one, whenever this runs.
    LocalTime from = LocalTime.now(ZoneId.systemDefault()).plusHours(2).withNano(0);
    String later =
        PLAN.formatted(1) + "from = \"%tT\"%nto = \"%tT\"%n".formatted(from, from.plusHours(1));
    Ran ran = plan(later);
    assertThat(ran.code()).as(ran.err()).isEqualTo(5);
    assertThat(ran.out()).contains("0 of 2 runs are done; the others wait for their period");
    assertThat(out).doesNotExist();
  }

  @Test
  void resultsOfAnotherPlanOfThatNameAreNotMixed() throws Exception {
    assertThat(plan(PLAN.formatted(1)).code()).isZero();
    Ran ran = plan(PLAN.formatted(2));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("another version of this plan");
  }

  @Test
  void whatIsWrongWithAPlanIsOneLine() throws Exception {
    assertWrong("name = ", "plan.toml:1:");
    assertWrong(PLAN.formatted(0), "'repetitions' has to be 1 to");
    assertWrong(PLAN.formatted(1) + "colour = \"red\"\n", "unknown key 'colour'");
    assertWrong("name = \"x\"\nrepetitions = 1\ncases = [\"upload\"]\n", "no [[region]]");
    assertWrong(PLAN.formatted(1).replace("there", "here"), "same name");
    assertWrong(PLAN.formatted(1).replace("[\"upload\"", "[5"), "plan.toml");
    assertWrong("clients = [\"a\"]\n" + PLAN.formatted(1), "each process has a 'mem:' of its own");
    assertWrong("ssh = \"ssh\"\n" + PLAN.formatted(1), "--ssh goes with --clients");
    assertWrong(PLAN.formatted(1) + "from = \"25:00\"\nto = \"26:00\"\n", "25:00");
  }

  @Test
  void aMixtureAtAPlannedRateCanBePlanned() throws Exception {
    String text =
        PLAN.formatted(1)
            .replace(
                "cases = [\"upload\", \"read_iops_test\"]", "mix = \"get=70,put=30\"\nrate = 400")
            .replace("10ms", "400ms");
    assertWrong(text.replace("rate = 400", "rate = \"much\""), "'rate' has to be a number");
    assertWrong(text.replace("rate = 400", "rate = 0"), "'rate' has to be more than 0");
    assertWrong(text.replace("mix = ", "preset = \"blocks\"\nmix = "), "or a 'preset'");
    assertWrong(text.replace("get=70", "sing=70"), "sing");
    Ran ran = plan(text);
    assertThat(ran.code()).as(ran.err()).isZero();
    ResultRecord first = ResultFile.read(out).records().get(0);
    assertThat(first.rows())
        .anySatisfy(
            row ->
                assertThat(row)
                    .containsEntry("case", "mix:get=70,put=30")
                    .containsEntry("scope", "case")
                    .containsEntry("asked_operations_per_second", 400.0));
    assertThat(first.rows().stream().filter(row -> "course".equals(row.get("scope"))).toList())
        .hasSizeBetween(2, 40)
        .allMatch(row -> row.get("operations") instanceof Long);
    Path html = scratch.resolve("page.html");
    StorageRunCommandTest.ebb("storage", "report", out.toString(), "--html", html.toString());
    assertThat(html).content().contains("Over the time of a run", "Longest of them");
  }

  private void assertWrong(String text, String message) throws Exception {
    Ran ran = plan(text);
    assertThat(ran.code()).as(ran.err()).isEqualTo(2);
    assertThat(ran.err()).contains(message).doesNotContain("internal").hasLineCount(1);
  }

  @Test
  void aReportShowsRegionsAndWhatWasExpected() throws Exception {
    assertThat(plan(PLAN.formatted(2)).code()).isZero();
    Path expected = scratch.resolve("expected.csv");
    Files.writeString(expected, "# comment\nread_iops_test,op/s,15000,<the provider>\n");
    Path html = scratch.resolve("page.html");
    Path csv = scratch.resolve("figures.csv");
    Ran ran =
        StorageRunCommandTest.ebb(
            "storage",
            "report",
            out.toString(),
            "--html",
            html.toString(),
            "--csv",
            csv.toString(),
            "--expected",
            expected.toString(),
            "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(html)
        .content()
        .contains("By region", "here", "there", "By period", ">15,000<", "so no box")
        .contains("&lt;the provider&gt;")
        .contains("default-src 'none'");
    assertThat(csv).content().startsWith("case,processes").contains("upload", "15000.0");
    assertThat(ran.record().figures()).containsEntry("runs", 4L);
    assertThat(ran.record().rows()).hasSize(4);
    Files.writeString(expected, "read_iops_test,furlongs,1,x\n");
    ran =
        StorageRunCommandTest.ebb(
            "storage", "report", out.toString(), "--expected", expected.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("line 1 is not case,unit,value,source");
  }
}
