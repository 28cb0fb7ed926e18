package ebb.core.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

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
  void theChartIsWellFormedAndPutsValuesInTheirPlace() throws Exception {
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(chart().toSvg())));
    assertThat(svg.getElementsByTagName("path").getLength()).isEqualTo(3);
    assertThat(svg.getElementsByTagName("rect").getLength()).as("a range in both").isEqualTo(2);
    // x: 0..20 over 64..944; y: 0..10 over 200..30 (top 30, 170 high). The NaN is left out.
    assertThat(svg.getElementsByTagName("path").item(0).getAttributes().getNamedItem("d"))
        .hasToString("d=\"M64.0 200.0L504.0 115.0\"");
  }

  @Test
  void aHeatMapColoursByShareOfTheLargest() throws Exception {
    HeatMap map =
        new HeatMap("<rates>", "from, to", List.of("a", "b"), List.of("a", "b"))
            .cell(0, 1, 10, "10 <Mbit/s>")
            .cell(1, 0, 5, "5 Mbit/s")
            .cell(1, 1, Double.NaN, "?");
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(map.toSvg())));
    var squares = svg.getElementsByTagName("rect");
    assertThat(squares.getLength()).isEqualTo(3);
    // Three quarters for the most, half of that for half as much, nothing for what is not known.
    assertThat(squares.item(0).getAttributes().getNamedItem("fill-opacity").getNodeValue())
        .isEqualTo("0.750");
    assertThat(squares.item(1).getAttributes().getNamedItem("fill-opacity").getNodeValue())
        .isEqualTo("0.375");
    assertThat(squares.item(2).getAttributes().getNamedItem("fill-opacity").getNodeValue())
        .isEqualTo("0.000");
    assertThat(squares.item(0).getTextContent()).isEqualTo("a, b: 10 <Mbit/s>");
    assertThatIllegalArgumentException().isThrownBy(() -> map.cell(2, 0, 1, ""));
  }

  @Test
  void thePageIsOneFileThatAsksForNothing(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("report.html");
    new HtmlReport("A <title>")
        .lead("words & more")
        .figures(List.of(new HtmlReport.Figure("0.99", "utilisation", HtmlReport.Tone.GOOD)))
        .chart(chart())
        .table(List.of("x"), List.of(List.of("<1>")))
        .writeTo(file);
    String html = Files.readString(file);
    assertThat(html)
        .contains("A &lt;title&gt;", "words &amp; more", "&lt;1&gt;", "a &lt;b&gt;")
        .doesNotContain("<script", "src=", "href=", "url(", "@import");
    assertThat(html.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http");
    assertThat(Files.list(directory)).as("nothing left behind").containsExactly(file);
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

  private static Document parse(LineChart chart) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(chart.toSvg())));
  }

  private static String attribute(Document svg, String tag, int index, String name) {
    return svg.getElementsByTagName(tag)
        .item(index)
        .getAttributes()
        .getNamedItem(name)
        .getNodeValue();
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
  void everySeriesHasAColourHoweverManyThereAre() throws Exception {
    Series[] series = new Series[10];
    for (int i = 0; i < series.length; i++) {
      series[i] = new Series("flow " + i, new double[] {0, 1}, new double[] {i, i});
    }
    Document svg = parse(new LineChart("many", "s").panel("Rate", series));
    String page = new HtmlReport("x").toHtml();
    for (int i = 0; i < series.length; i++) {
      String colour = attribute(svg, "path", i, "class").replace("series ", "");
      assertThat(page).contains("svg ." + colour + "{stroke:var(--" + colour + ")}");
      assertThat(page.split("--" + colour + ":", -1)).as("set for light and dark").hasSize(3);
    }
  }

  @Test
  void aLegendThatDoesNotFitBesideTheTitleGetsRowsOfItsOwn() throws Exception {
    Series[] series = new Series[7];
    for (int i = 0; i < series.length; i++) {
      series[i] = new Series("a flow with a long name " + i, new double[] {0}, new double[] {i});
    }
    Document svg = parse(new LineChart("many", "s").panel("Rate", series));
    int legends = 0;
    for (int i = 0; i < svg.getElementsByTagName("text").getLength(); i++) {
      if (attribute(svg, "text", i, "class").equals("legend")) {
        legends++;
        assertThat(Double.parseDouble(attribute(svg, "text", i, "y"))).isGreaterThan(20);
        assertThat(Double.parseDouble(attribute(svg, "text", i, "x"))).isBetween(64.0, 800.0);
      }
    }
    assertThat(legends).isEqualTo(7);
  }

  @Test
  void rangesEndWhereTheDrawingEnds() throws Exception {
    Document svg =
        parse(
            new LineChart("ranges", "s")
                .panel("Queue", FLAT)
                .range(-100, 5, "before")
                .range(15, 1_000, "after")
                .range(30, 40, "never seen"));
    // x: 0..20 over 64..944, so 5 lies at 284 and 15 at 724.
    assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(2);
    assertThat(attribute(svg, "rect", 0, "x")).isEqualTo("64.0");
    assertThat(attribute(svg, "rect", 0, "width")).isEqualTo("220.0");
    assertThat(attribute(svg, "rect", 1, "x")).isEqualTo("724.0");
    assertThat(attribute(svg, "rect", 1, "width")).isEqualTo("220.0");
    assertThat(svg.getDocumentElement().getTextContent()).doesNotContain("never seen");
  }

  @Test
  void theReferenceIsDrawnOverTheLinesThatKeepToIt() {
    String svg = new LineChart("d", "s").panel("Queue", FLAT).reference(4, "TARGET").toSvg();
    assertThat(svg.indexOf("class=\"reference\"")).isGreaterThan(svg.indexOf("<path"));
  }

  @Test
  void aPointBetweenGapsIsVisible() throws Exception {
    double gap = Double.NaN;
    Series lone = new Series("lone", new double[] {0, 10, 20}, new double[] {gap, 5, gap});
    Document svg = parse(new LineChart("d", "s").panel("Queue", lone));
    assertThat(attribute(svg, "path", 0, "d")).startsWith("M504.0 ").endsWith("m-2.5 0h5");
  }

  @Test
  void longSeriesAreThinnedWithoutLosingAPeakOrAGap() {
    int length = 1_000_000;
    double[] x = new double[length];
    double[] y = new double[length];
    for (int i = 0; i < length; i++) {
      x[i] = i;
      y[i] = i % 2;
    }
    y[123_456] = 1_000;
    y[654_321] = -1_000;
    y[400_000] = Double.NaN;
    int[] kept = Thinning.keep(new Series("long", x, y), value -> value * 880 / length);
    // Four a pixel, and the gap starts one part more.
    assertThat(kept.length).isLessThanOrEqualTo(880 * 4 + 8);
    assertThat(kept).isSorted().doesNotHaveDuplicates();
    assertThat(kept).contains(0, 123_456, 400_000, 654_321, length - 1);
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
