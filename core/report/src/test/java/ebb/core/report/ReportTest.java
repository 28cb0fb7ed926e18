package ebb.core.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportTest {
  private static final Series RISING =
      new Series("a <b>", new double[] {0, 10, 20}, new double[] {0, 5, Double.NaN});
  private static final Series FLAT = new Series("flat", new double[] {0, 20}, new double[] {4, 4});

  private static LineChart chart() {
    return new LineChart("two \"lines\"", "time (s)")
        .panel("Rate (Mbit/s)", RISING, FLAT)
        .reference(8, "TARGET")
        .panel("Queue (ms)", FLAT)
        .range(5, 10, "TCP & co");
  }

  @Test
  void axesEndAtRoundNumbers() {
    Axis axis = Axis.of(0, 9.3, 4);
    assertThat(axis.max).isEqualTo(10);
    assertThat(axis.label(1)).isEqualTo("5");
    assertThat(Axis.of(0, 0.37, 4).label(1)).isEqualTo("0.1");
    assertThat(Axis.of(0, 0, 4).max).isGreaterThan(0);
  }

  @Test
  void aChartIsDataForTheScript() {
    String json = Json.of(chart().spec());
    assertThat(json)
        .contains("\"name\":\"a \\u003Cb\\u003E\"", "\"xs\":[[0,10,20],[0,20]]")
        .contains("\"y\":[0,5,null]", "\"references\":[{", "\"label\":\"TARGET\"")
        .contains("\"title\":\"Rate (Mbit/s)\"", "\"title\":\"Queue (ms)\"")
        .contains("\"label\":\"TCP \\u0026 co\"")
        .doesNotContain("<", ">", "&");
  }

  @Test
  void aPanelHasOneUnitThatSuitsItsLargestValue() {
    Series rates = new Series("r", new double[] {0, 1}, new double[] {2e6, 9.4e8});
    String json =
        Json.of(
            new LineChart("t", "s")
                .panel("Rate", Unit.BITS_PER_SECOND, rates)
                .reference(5e8, "half")
                .logPanel(
                    "Latency",
                    Unit.NANOS,
                    new Series("n", new double[] {0, 1}, new double[] {0, 5e6}))
                .spec());
    assertThat(json)
        .contains("\"unit\":\"Mbit/s\"", "\"y\":[2,940]", "\"y\":500.0")
        .as("logarithmic times are in microseconds, and nothing has no place")
        .contains("\"unit\":\"us\"", "\"y\":[null,5000]");
  }

  @Test
  void percentilesHaveAPlaceForEachNine() {
    Series line = new Series("p", new double[] {0, 90, 99.9}, new double[] {1, 2, 3});
    assertThat(Json.of(new LineChart("t", "percentile").percentiles().panel("x", line).spec()))
        .contains("\"xScale\":\"nines\"", "\"xs\":[[0,90,99.9]]");
  }

  @Test
  void anAxisIsLogarithmicOnlyWhereHalfOfTheValuesWouldBePressedTogether() {
    double[] one = {1, 1, 1};
    Series near = new Series("near", new double[] {1, 2, 10}, one);
    Series far = new Series("far", new double[] {1, 10, 1_000}, one);
    Series zero = new Series("zero", new double[] {0, 1, 1_000}, one);
    assertThat(xOf(near)).contains("\"xScale\":\"plain\"", "\"xs\":[[1,2,10]]");
    assertThat(xOf(far)).contains("\"xScale\":\"decades\"", "\"xs\":[[1,10,1000]]");
    assertThat(xOf(zero)).as("0 has no place there").contains("\"xScale\":\"plain\"");
  }

  private static String xOf(Series line) {
    LineChart chart = new LineChart("t", "ms").logarithmicWhereWide();
    return Json.of(chart.panel("x", Unit.COUNT, line).spec());
  }

  @Test
  void theWorseEndOfAHeatMapIsNamedAndFailuresAreMarked() {
    HeatMap map =
        new HeatMap(
                "<rates>", "from, to", List.of("a", "b"), List.of("a", "b"), HeatMap.Worse.LOWER)
            .cell(0, 1, 10, "10 <Mbit/s>")
            .failed(1, 1, "nobody answered");
    assertThat(Json.of(map.spec()))
        .contains("\"worse\":\"lower\"", "10 \\u003CMbit/s\\u003E", "nobody answered")
        .contains("\"value\":10.0", "\"value\":null");
    assertThatIllegalArgumentException().isThrownBy(() -> map.cell(2, 0, 1, ""));
    assertThat(new HtmlReport("x").chart(map).toHtml())
        .contains("<span>better</span><i></i><span>worse</span>");
  }

  @Test
  void aBoxHasItsQuartilesAndItsValues() {
    String json =
        Json.of(
            new BoxPlot("t", "latency", Unit.MICROS)
                .box("one", new double[] {5_000, 1_000, 3_000, 2_000, 4_000})
                .spec());
    assertThat(json)
        .contains("\"five\":[1,2,3,4,5]", "\"points\":[1,2,3,4,5]", "\"x\":\"latency, ms\"");
  }

  @Test
  void barsAreAsManyAsCategories() {
    BarChart bars =
        new BarChart("t", "lost", Unit.RATIO, "rate", List.of("1M", "2M"))
            .bars("UDP", new double[] {0.01, Double.NaN});
    assertThat(Json.of(bars.spec())).contains("\"values\":[1,null]", "\"y\":\"lost, %\"");
    assertThatIllegalArgumentException().isThrownBy(() -> bars.bars("x", new double[1]));
  }

  @Test
  void aDistributionKeepsItsEndsHoweverLongItIs() {
    double[] samples = new double[100_000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = samples.length - i;
    }
    Series cdf = Series.cdf("c", samples);
    assertThat(cdf.x()).hasSize(1_000).startsWith(1).endsWith(100_000).isSorted();
    assertThat(cdf.y()).startsWith(1e-5).endsWith(1).isSorted();
  }

  @Test
  void thePageIsOneFileThatAsksForNothing(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("report.html");
    new HtmlReport("A <title>")
        .lead("words & more")
        .answer("it is <b>")
        .figures(List.of(new HtmlReport.Figure("0.99", "utilisation", HtmlReport.Tone.GOOD)))
        .chart(chart())
        .table(List.of("x"), List.of(List.of("<1>")))
        .rawRows("rows", List.of(Map.of("a", "</script><script>alert(1)</script>")))
        .writeTo(file);
    String html = Files.readString(file);
    // The library has words like these in it, as texts.
    String ours = html.substring(0, html.indexOf("<noscript>"));
    assertThat(ours)
        .contains("A &lt;title&gt;", "words &amp; more", "&lt;1&gt;", "it is &lt;b&gt;")
        .contains("default-src 'none'", "script-src 'sha256-")
        .doesNotContain("<script>alert", "src=\"", "href=\"", "@import", "<link");
    assertThat(ours.split("</script>", -1)).as("chart and rows").hasSize(2 + 1);
    assertThat(html.split("</script>", -1)).as("library and ours too").hasSize(4 + 1);
    assertThat(Files.list(directory)).as("nothing left behind").containsExactly(file);
    // docs/results.md says about 1.1 MB.
    assertThat(html.length()).isBetween(1_000_000, 1_300_000);
  }

  @Test
  void figuresOfAColumnHaveOneUnitAndSeparators() {
    String html =
        new HtmlReport("x")
            .table(
                new Table()
                    .text("path")
                    .number("rate", Unit.BITS_PER_SECOND)
                    .number("lost", Unit.RATIO)
                    .number("count", Unit.COUNT)
                    .row("a", 9.4e8, 0.0125, 1_234_567)
                    .row("b", 1.5e6, null, "none")
                    .row("c", Double.NaN, 0, 2))
            .toHtml();
    assertThat(html.substring(0, html.indexOf("<noscript>")))
        .contains("rate</button><small>Mbit/s</small>", ">940.00<", ">1.50<", ">1.25<")
        .contains(">1,234,567<", ">none<", ">\u2013<", "data-v=\"1234567.0\"");
  }

  @Test
  void columnsThatAreToBeComparedHaveOneUnitAndThoseOfWhichNothingIsKnownCanBeLeftOut() {
    Table jitter = new Table().number("10M", Unit.MICROS).number("20M", Unit.MICROS);
    jitter.row(1_250, 640);
    assertThat(jitter.toHtml()).contains("<small>ms</small>", "<small>us</small>");
    assertThat(jitter.inOneUnit().toHtml())
        .contains("<small>us</small>", ">1,250<", ">640<")
        .doesNotContain("<small>ms</small>");
    Table runs = new Table().text("Run").number("up", Unit.COUNT).number("down", Unit.COUNT);
    runs.row("a", 1, null).row("b", null, Double.NaN);
    assertThat(runs.toHtml()).contains("down</button>");
    assertThat(runs.leavingOutUnknown().toHtml())
        .contains("Run</button>", "up</button>", ">1<")
        .doesNotContain("down</button>");
  }

  @Test
  void figuresThatLieFarApartHaveThreeDigitsEach() {
    Table table = new Table().number("rate", Unit.BITS_PER_SECOND).number("lost", Unit.RATIO);
    table.row(8.2e9, 0).row(9.3351e7, 0).row(1.26e5, 0).row(0, 0);
    assertThat(table.toHtml())
        .contains(">8,200<", ">93.4<", ">0.126<", ">0<")
        .doesNotContain(">0.000<");
  }

  @Test
  void theTerminalPlotFitsAndShowsEverySeries() {
    List<String> lines =
        new TerminalPlot("Rate (Mbit/s)", 60, 9)
            .add('l', FLAT)
            .add('r', new Series("rising", new double[] {0, 10, 20}, new double[] {0, 5, 10}))
            .reference(10)
            .lines();
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    assertThat(lines.get(0)).isEqualTo("Rate (Mbit/s)   l flat  r rising");
    assertThat(lines.get(1)).startsWith("      10 |---").endsWith("r");
    assertThat(lines.get(9)).isEqualTo("       0 |r");
    assertThat(lines.get(11)).startsWith("          0").endsWith("20");
    assertThat(String.join("", lines)).matches("\\p{ASCII}*");
  }

  @Test
  void largeNumbersOnAxesAreShort() {
    Axis axis = Axis.of(0, 126e6, 4);
    assertThat(axis.label(0)).isEqualTo("0");
    assertThat(axis.label(1)).isEqualTo("50M");
    assertThat(Axis.of(0, 2e5, 4).label(1)).isEqualTo("50k");
    assertThat(Axis.of(0, 1.2e6, 4).label(1)).isEqualTo("0.5M");
    // Steps of 20,000 end at 80,000, below 100,000; 90,000 would take steps of 50,000 to 100,000.
    assertThat(Axis.of(0, 80_000, 4).label(1)).isEqualTo("20000");
    assertThat(Axis.of(0, 90_000, 4).label(1)).isEqualTo("50k");
    assertThat(Axis.of(-0.3, 0.3, 6).label(3)).as("no -0.0").isEqualTo("0.0");
  }

  @Test
  void rangesThatNobodySeesAreLeftOut() {
    String json =
        Json.of(
            new LineChart("ranges", "s")
                .panel("Queue", FLAT)
                .range(-100, 5, "before")
                .range(30, 40, "never seen")
                .spec());
    assertThat(json).contains("before").doesNotContain("never seen");
  }

  @Test
  void verdictsDoNotDependOnColour() {
    assertThat(new HtmlReport("x").toHtml())
        .contains(".good b::before{content:\"\\2713", ".bad b::before{content:\"\\2717");
  }

  @Test
  void whatCannotBeDrawnIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Series("s", new double[] {1, 0}, new double[] {0, 0}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Series("s", new double[] {Double.NaN}, new double[] {0}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Series("s", new double[] {1}, new double[] {}));
    assertThatIllegalArgumentException().isThrownBy(() -> new TerminalPlot("t", 101, 5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HtmlReport("x").table(List.of("a", "b"), List.of(List.of("1"))));
  }

  @Test
  void plotsKeepTheirWidthWhateverTheNamesAndNumbers() {
    Series large =
        new Series("n".repeat(300), new double[] {0, 1e12}, new double[] {-3e15, 123456789e9});
    for (int columns : new int[] {40, 100}) {
      TerminalPlot plot =
          new TerminalPlot("t".repeat(50), columns, 5).add('a', large).add('b', FLAT).reference(7);
      assertThat(plot.lines()).allMatch(line -> line.length() <= columns);
      assertThat(plot.unicodeLines()).allMatch(line -> line.length() <= columns);
    }
  }

  @Test
  void aPlotOfNothingSaysSo() {
    double[] none = {};
    TerminalPlot plot = new TerminalPlot("t", 40, 3).add('a', new Series("s", none, none));
    assertThat(plot.lines()).last().isEqualTo("          no values");
    assertThat(plot.unicodeLines()).last().isEqualTo("          no values");
  }

  @Test
  void valuesBelowZeroHaveTheirPlace() {
    Series line = new Series("s", new double[] {0, 10}, new double[] {-10, 10});
    List<String> lines = new TerminalPlot("t", 40, 5).add('s', line).lines();
    assertThat(lines.get(1)).startsWith("      10 |").endsWith("s");
    assertThat(lines.get(5)).isEqualTo("     -10 |s");
  }

  @Test
  void brailleJoinsPointsAndLeavesGaps() {
    // 40 columns leave 30 letters of 2 by 4 dots. A flat line at the top is their top row of dots.
    Series top = new Series("s", new double[] {0, 10}, new double[] {10, 10});
    List<String> lines = new TerminalPlot("t", 40, 3).add('s', top).unicodeLines();
    assertThat(lines.get(1)).isEqualTo("      10 \u2502" + "\u2809".repeat(30));
    assertThat(lines.get(4)).isEqualTo("         \u2514" + "\u2500".repeat(30));
    double gap = Double.NaN;
    Series broken =
        new Series("s", new double[] {0, 1, 5, 9, 10}, new double[] {10, 10, gap, 10, 10});
    String row = new TerminalPlot("t", 40, 3).add('s', broken).unicodeLines().get(1);
    // x = 1 and 9 lie at the dots 6 and 53 of 0 to 59.
    assertThat(row)
        .isEqualTo(
            "      10 \u2502"
                + "\u2809".repeat(3)
                + "\u2801"
                + " ".repeat(22)
                + "\u2808"
                + "\u2809".repeat(3));
  }

  @Test
  void brailleShowsSeriesOneBelowTheOther() {
    List<String> lines =
        new TerminalPlot("t", 40, 3).add('a', RISING).add('b', FLAT).unicodeLines();
    assertThat(lines).hasSize(1 + 2 * (1 + 3) + 2);
    assertThat(lines.get(1)).isEqualTo("          a <b>");
    assertThat(lines.get(5)).isEqualTo("          flat");
  }

  @Test
  void theLocaleDecidesAboutUnicode() {
    assertThat(TerminalPlot.unicodeWorks(Map.of("LANG", "de_DE.UTF-8"))).isTrue();
    assertThat(TerminalPlot.unicodeWorks(Map.of("LANG", "C.utf8"))).isTrue();
    assertThat(TerminalPlot.unicodeWorks(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C"))).isFalse();
    assertThat(TerminalPlot.unicodeWorks(Map.of("LC_ALL", "", "LC_CTYPE", "C.UTF-8"))).isTrue();
    assertThat(TerminalPlot.unicodeWorks(Map.of())).isFalse();
  }
}
