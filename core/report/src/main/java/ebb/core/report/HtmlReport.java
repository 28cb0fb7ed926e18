package ebb.core.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * One HTML file that needs nothing else: no script, no request, readable in light, in dark and on
 * paper. All text is escaped. Not thread-safe.
 */
public final class HtmlReport {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--bg:#fff;--ink:#1b2430;--soft:#5b6672;--line:#dde2e8;
      --card:#f6f8fa;--s0:#0b6bcb;--s1:#d9480f;--s2:#2b8a3e;--s3:#862e9c;--s4:#0c8599;
      --s5:#a61e4d;--s6:#846a00;--s7:#495057;--range:#f1d9a755;--good:#2b8a3e;--bad:#c92a2a}
      @media screen and (prefers-color-scheme:dark){:root{--bg:#11161c;--ink:#e6eaee;
      --soft:#9aa5b1;--line:#2b343e;--card:#18202a;--s0:#58a6ff;--s1:#ff9e64;--s2:#69db7c;
      --s3:#d0a0ff;--s4:#66d9e8;--s5:#faa2c1;--s6:#ffe066;--s7:#ced4da;--range:#f1d9a722;
      --good:#69db7c;--bad:#ff8787}}
      *{box-sizing:border-box}
      body{margin:0;background:var(--bg);color:var(--ink);
      font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
      main{max-width:1000px;margin:0 auto;padding:32px 20px 64px}
      h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem}
      h2{font-size:1.15rem;margin:2rem 0 .6rem}
      pre{background:var(--card);border:1px solid var(--line);border-radius:8px;
      padding:12px 14px;overflow-x:auto;font-size:.85rem}
      p{max-width:46rem;margin:.5rem 0} .lead{color:var(--soft)}
      .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;
      margin:1.2rem 0}
      .figure{background:var(--card);border:1px solid var(--line);border-radius:8px;
      padding:12px 14px}
      .figure b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums}
      .figure span{color:var(--soft);font-size:.85rem}
      .good b{color:var(--good)} .good b::before{content:"\\2713\\00a0"}
      .bad b{color:var(--bad)} .bad b::before{content:"\\2717\\00a0"}
      table{border-collapse:collapse;width:100%;font-size:.92rem;
      font-variant-numeric:tabular-nums}
      th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--line)}
      th{color:var(--soft);font-weight:600}
      .scroll{overflow-x:auto}
      svg.chart{width:100%;height:auto;display:block}
      svg text{fill:var(--ink);font-size:13px} svg .title{font-weight:600}
      svg .axis,svg .range-label{fill:var(--soft);font-size:12px}
      svg .grid{stroke:var(--line)} svg .tick{stroke:var(--soft)}
      svg .reference{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:6 4}
      svg .halo{stroke:var(--bg);stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
      svg .range{fill:var(--range)} svg .cell{fill:var(--s0);stroke:var(--line)}
      svg .value{font-size:12px}
      svg .series{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
      svg .s0{stroke:var(--s0)} svg .s1{stroke:var(--s1)} svg .s2{stroke:var(--s2)}
      svg .s3{stroke:var(--s3)} svg .s4{stroke:var(--s4)} svg .s5{stroke:var(--s5)}
      svg .s6{stroke:var(--s6)} svg .s7{stroke:var(--s7)}
      @media print{:root{color-scheme:light}main{max-width:none;padding:0}
      *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
      .figure,figure,tr{break-inside:avoid}h2{break-after:avoid}}
      """;

  /** What a figure says about itself, with a mark besides the colour. */
  public enum Tone {
    PLAIN("figure"),
    GOOD("figure good"),
    BAD("figure bad");

    private final String style;

    Tone(String style) {
      this.style = style;
    }
  }

  /** A number worth a large type. */
  public record Figure(String value, String label, Tone tone) {}

  private final String title;
  private final StringBuilder body = new StringBuilder();

  public HtmlReport(String title) {
    this.title = title;
    body.append("<h1>").append(Html.escape(title)).append("</h1>");
  }

  public HtmlReport lead(String text) {
    body.append("<p class=\"lead\">").append(Html.escape(text)).append("</p>");
    return this;
  }

  public HtmlReport heading(String text) {
    body.append("<h2>").append(Html.escape(text)).append("</h2>");
    return this;
  }

  public HtmlReport paragraph(String text) {
    body.append("<p>").append(Html.escape(text)).append("</p>");
    return this;
  }

  /** Lines of a program, such as those of a console. */
  public HtmlReport preformatted(String text) {
    body.append("<pre>").append(Html.escape(text)).append("</pre>");
    return this;
  }

  public HtmlReport figures(List<Figure> figures) {
    body.append("<div class=\"figures\">");
    for (Figure figure : figures) {
      body.append("<div class=\"").append(figure.tone.style).append("\"><b>");
      body.append(Html.escape(figure.value)).append("</b><span>");
      body.append(Html.escape(figure.label)).append("</span></div>");
    }
    body.append("</div>");
    return this;
  }

  public HtmlReport chart(LineChart chart) {
    body.append("<figure style=\"margin:0\">").append(chart.toSvg()).append("</figure>");
    return this;
  }

  public HtmlReport chart(BoxPlot plot) {
    body.append("<figure style=\"margin:0\">").append(plot.toSvg()).append("</figure>");
    return this;
  }

  public HtmlReport chart(HeatMap map) {
    body.append("<figure style=\"margin:0\">").append(map.toSvg()).append("</figure>");
    return this;
  }

  /** A table; every row has as many cells as there are columns. */
  public HtmlReport table(List<String> columns, List<List<String>> rows) {
    for (List<String> cells : rows) {
      if (cells.size() != columns.size()) {
        throw new IllegalArgumentException(
            "a row of " + cells.size() + " cells in a table of " + columns.size() + " columns");
      }
    }
    body.append("<div class=\"scroll\"><table><thead>");
    row("th", columns);
    body.append("</thead><tbody>");
    for (List<String> cells : rows) {
      row("td", cells);
    }
    body.append("</tbody></table></div>");
    return this;
  }

  private void row(String tag, List<String> cells) {
    body.append("<tr>");
    for (String cell : cells) {
      body.append('<').append(tag).append('>').append(Html.escape(cell));
      body.append("</").append(tag).append('>');
    }
    body.append("</tr>");
  }

  /** The page. */
  public String toHtml() {
    return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
        + "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>"
        + Html.escape(title)
        + "</title><style>"
        + STYLE
        + "</style></head><body><main>"
        + body
        + "</main></body></html>\n";
  }

  /** Writes the page, whole or not at all. */
  public void writeTo(Path file) throws IOException {
    // Not createTempFile, which makes files that only their owner can read.
    String name = "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp";
    Path temporary = file.toAbsolutePath().resolveSibling(name);
    try {
      Files.writeString(temporary, toHtml(), StandardCharsets.UTF_8);
      try {
        Files.move(
            temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
