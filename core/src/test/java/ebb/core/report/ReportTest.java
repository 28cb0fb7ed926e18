package ebb.core.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
}
